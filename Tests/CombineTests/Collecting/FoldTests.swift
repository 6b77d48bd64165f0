import Combine
import Testing

/// Operators that make one result of all values.
@Suite struct FoldTests {
    private typealias Chain = (AnyPublisher<Int, Oops>) -> AnyPublisher<String, any Error>

    private func any<P: Publisher>(_ publisher: P) -> AnyPublisher<String, any Error> {
        publisher.map { "\($0)" }.mapError { $0 }.eraseToAnyPublisher()
    }

    /// What each makes of 1, 2 and 3, which is known only at the end.
    private var late: [(name: String, chain: Chain, result: String)] {
        [
            ("Collect", { any($0.collect()) }, "[1, 2, 3]"),
            ("Count", { any($0.count()) }, "3"),
            ("Reduce", { any($0.reduce(10, +)) }, "16"),
            ("TryReduce", { any($0.tryReduce(10, +)) }, "16"),
            ("Comparison", { any($0.min()) }, "1"),
            ("Comparison", { any($0.max()) }, "3"),
            ("Comparison", { any($0.max { $0 > $1 }) }, "1"),
            ("TryComparison", { any($0.tryMin { $0 < $1 }) }, "1"),
            ("TryComparison", { any($0.tryMax { $0 < $1 }) }, "3"),
            ("Last", { any($0.last()) }, "3"),
            ("LastWhere", { any($0.last { $0 < 3 }) }, "2"),
            ("TryLastWhere", { any($0.tryLast { $0 < 3 }) }, "2"),
            ("Contains", { any($0.contains(4)) }, "false"),
            ("ContainsWhere", { any($0.contains { $0 > 3 }) }, "false"),
            ("TryContainsWhere", { any($0.tryContains { $0 > 3 }) }, "false"),
            ("AllSatisfy", { any($0.allSatisfy { $0 < 4 }) }, "true"),
            ("TryAllSatisfy", { any($0.tryAllSatisfy { $0 < 4 }) }, "true"),
        ]
    }

    /// What each knows as soon as it has seen 2.
    private var early: [(name: String, chain: Chain, result: String)] {
        [
            ("TryFirst", { any($0.first { $0 > 1 }) }, "2"),
            ("TryFirstWhere", { any($0.tryFirst { $0 > 1 }) }, "2"),
            ("Contains", { any($0.contains(2)) }, "true"),
            ("ContainsWhere", { any($0.contains { $0 > 1 }) }, "true"),
            ("TryContainsWhere", { any($0.tryContains { $0 > 1 }) }, "true"),
            ("AllSatisfy", { any($0.allSatisfy { $0 < 2 }) }, "false"),
            ("TryAllSatisfy", { any($0.tryAllSatisfy { $0 < 2 }) }, "false"),
        ]
    }

    @Test func `The result comes at the end, with everything asked for`() {
        for (name, chain, result) in late {
            let upstream = ProbePublisher<Int, Oops>()
            let recorder = Recorder<String, any Error>(requesting: .max(1))
            chain(upstream.eraseToAnyPublisher()).subscribe(recorder)
            for value in 1...3 { #expect(upstream.send(value) == .none) }
            #expect(recorder.events == [.subscription(name)])
            upstream.send(completion: .finished)
            #expect(recorder.signals == [.value(result), .finished], "\(name)")
            #expect(upstream.events == [.requested(.unlimited)], "\(name)")
        }
    }

    @Test func `A result that is known ends the chain`() {
        for (name, chain, result) in early {
            let upstream = ProbePublisher<Int, Oops>()
            let recorder = Recorder<String, any Error>(requesting: .max(1))
            chain(upstream.eraseToAnyPublisher()).subscribe(recorder)
            for value in 1...3 { upstream.send(value) }
            upstream.send(completion: .finished)
            #expect(recorder.events == [.subscription(name), .value(result), .finished], "\(name)")
            #expect(upstream.events == [.requested(.unlimited), .cancelled], "\(name)")
        }
    }

    @Test func `The result waits until it is asked for`() {
        for (name, chain, result) in late {
            let upstream = ProbePublisher<Int, Oops>()
            let recorder = Recorder<String, any Error>(requesting: nil)
            chain(upstream.eraseToAnyPublisher()).subscribe(recorder)
            for value in 1...3 { upstream.send(value) }
            upstream.send(completion: .finished)
            #expect(recorder.signals == [], "\(name)")
            recorder.request(.max(1))
            recorder.request(.max(1))
            #expect(recorder.signals == [.value(result), .finished], "\(name)")
        }
    }

    @Test func `A failure comes through at once`() {
        for (name, chain, _) in late + early {
            let upstream = ProbePublisher<Int, Oops>()
            let recorder = Recorder<String, any Error>(requesting: nil)
            chain(upstream.eraseToAnyPublisher()).subscribe(recorder)
            upstream.send(1)
            upstream.send(completion: .failure(Oops()))
            upstream.send(completion: .finished)
            recorder.request(.max(1))
            #expect(recorder.signals == [.failure("oops")], "\(name)")
        }
    }

    @Test func `A cancelled fold sends nothing`() {
        for (name, chain, _) in late {
            let upstream = ProbePublisher<Int, Oops>()
            let recorder = Recorder<String, any Error>(requesting: nil)
            chain(upstream.eraseToAnyPublisher()).subscribe(recorder)
            upstream.send(1)
            recorder.cancel()
            upstream.send(completion: .finished)
            recorder.request(.max(1))
            #expect(recorder.signals == [], "\(name)")
            #expect(upstream.events == [.requested(.unlimited), .cancelled], "\(name)")
        }
    }

    @Test func `Without values there is a result only where one is due`() {
        let results: [(Chain, [Event<String>])] = [
            ({ any($0.collect()) }, [.value("[]"), .finished]), ({ any($0.count()) }, [.value("0"), .finished]),
            ({ any($0.reduce(1, +)) }, [.value("1"), .finished]), ({ any($0.max()) }, [.finished]),
            ({ any($0.first()) }, [.finished]), ({ any($0.last()) }, [.finished]),
            ({ any($0.contains(1)) }, [.value("false"), .finished]),
            ({ any($0.allSatisfy { _ in false }) }, [.value("true"), .finished]),
        ]
        for (chain, expected) in results {
            let upstream = ProbePublisher<Int, Oops>()
            let recorder = Recorder<String, any Error>()
            chain(upstream.eraseToAnyPublisher()).subscribe(recorder)
            upstream.send(completion: .finished)
            #expect(recorder.signals == expected)
        }
    }

    @Test func `What a closure throws cancels upstream and fails`() {
        let chains: [Chain] = [
            { any($0.tryReduce(0) { _, _ in throw Oops("thrown") }) },
            { any($0.tryMax { _, _ in throw Oops("thrown") }) },
            { any($0.tryFirst { _ in throw Oops("thrown") }) }, { any($0.tryLast { _ in throw Oops("thrown") }) },
            { any($0.tryContains { _ in throw Oops("thrown") }) },
            { any($0.tryAllSatisfy { _ in throw Oops("thrown") }) },
        ]
        for chain in chains {
            let upstream = ProbePublisher<Int, Oops>()
            let recorder = Recorder<String, any Error>()
            chain(upstream.eraseToAnyPublisher()).subscribe(recorder)
            upstream.send(1)
            upstream.send(2)
            upstream.send(3)
            #expect(recorder.signals == [.failure("thrown")])
            #expect(upstream.events == [.requested(.unlimited), .cancelled])
        }
    }

    @Test func `The first value sends itself and the end`() throws {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, Oops>()
        upstream.first().subscribe(recorder)
        let labels = Mirror(reflecting: try #require(recorder.subscription)).children.map { $0.label }
        #expect(labels == ["downstream", "result", "initial", "status"])
        upstream.send(1)
        upstream.send(2)
        #expect(recorder.events == [.subscription("First"), .value(1), .finished])
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
    }

    @Test func `Ignored values are asked for, whatever downstream wants`() {
        let upstream = ProbePublisher<Int, Oops>()
        var log: [String] = []
        let cancellable = upstream.ignoreOutput().sink {
            log.append("\($0)")
        } receiveValue: { _ in
        }
        #expect(upstream.events == [.requested(.unlimited), .requested(.unlimited)])
        #expect(upstream.send(1) == .none)
        upstream.send(completion: .finished)
        #expect(log == ["finished"])
        cancellable.cancel()
    }

    @Test func `Nothing is left of a chain`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, witness) in
            subject.first { _ in
                _ = witness; return false
            }.reduce(0) {
                _ = witness; return $0 + $1
            }
            .allSatisfy { _ in
                _ = witness; return true
            }.eraseToAnyPublisher()
        }
    }
}
