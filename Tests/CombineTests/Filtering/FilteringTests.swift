import Combine
import Testing

@Suite struct FilteringTests {
    /// For a value that is left out, one more is requested; for a value that passes, what downstream returns.
    @Test func `Each value that is left out is asked for again`() {
        let chains: [(String, (AnyPublisher<Int, Oops>) -> AnyPublisher<Int, any Error>)] = [
            ("filter", { $0.filter { $0 > 1 }.mapError { $0 }.eraseToAnyPublisher() }),
            ("tryFilter", { $0.tryFilter { $0 > 1 }.eraseToAnyPublisher() }),
            ("compactMap", { $0.compactMap { $0 > 1 ? $0 : nil }.mapError { $0 }.eraseToAnyPublisher() }),
            ("tryCompactMap", { $0.tryCompactMap { $0 > 1 ? $0 : nil }.eraseToAnyPublisher() }),
            ("drop(while:)", { $0.drop { $0 < 2 }.mapError { $0 }.eraseToAnyPublisher() }),
            ("tryDrop(while:)", { $0.tryDrop { $0 < 2 }.eraseToAnyPublisher() }),
        ]
        for (name, chain) in chains {
            let upstream = ProbePublisher<Int, Oops>()
            let recorder = Recorder<Int, any Error>(requesting: .max(2), perValue: .max(5))
            chain(upstream.eraseToAnyPublisher()).subscribe(recorder)
            #expect(upstream.send(1) == .max(1), "\(name)")
            #expect(upstream.send(2) == .max(5), "\(name)")
            upstream.send(completion: .failure(Oops()))
            #expect(recorder.signals == [.value(2), .failure("oops")], "\(name)")
            #expect(upstream.events == [.requested(.max(2))], "\(name)")
        }
    }

    /// A sequence, a publisher and the result of `compactMap` each have their own method: the compiler has to choose.
    @Test func `Three in a row compile on a sequence`() {
        let recorder = Recorder<Int, Never>()
        ["1", "x", "3"].publisher.compactMap { Int($0) }.compactMap { $0 > 1 ? $0 : nil }.map { $0 * 2 }
            .subscribe(recorder)
        #expect(recorder.signals == [.value(6), .finished])
    }

    @Test func `What a closure throws cancels upstream and fails`() {
        let chains: [(String, (AnyPublisher<Int, Oops>) -> AnyPublisher<Int, any Error>)] = [
            ("TryFilter", { $0.tryFilter { _ in throw Oops("thrown") }.eraseToAnyPublisher() }),
            ("TryCompactMap", { $0.tryCompactMap { _ in throw Oops("thrown") }.eraseToAnyPublisher() }),
            ("TryDropWhile", { $0.tryDrop { _ in throw Oops("thrown") }.eraseToAnyPublisher() }),
            ("TryPrefixWhile", { $0.tryPrefix { _ in throw Oops("thrown") }.eraseToAnyPublisher() }),
        ]
        for (name, chain) in chains {
            let upstream = ProbePublisher<Int, Oops>()
            let recorder = Recorder<Int, any Error>()
            chain(upstream.eraseToAnyPublisher()).subscribe(recorder)
            #expect(upstream.send(1) == .none)
            upstream.send(2)
            upstream.send(completion: .finished)
            #expect(recorder.events == [.subscription(name), .failure("thrown")])
            #expect(upstream.events == [.requested(.unlimited), .cancelled])
        }
    }

    @Test func `Values that equal the one before are left out`() {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, Oops>(requesting: .max(1), perValue: .max(2))
        upstream.removeDuplicates().subscribe(recorder)
        #expect(upstream.send(1) == .max(2))
        #expect(upstream.send(1) == .max(1))
        #expect(upstream.send(2) == .max(2))
        #expect(upstream.send(1) == .max(2))
        #expect(recorder.events == [.subscription("RemoveDuplicates"), .value(1), .value(2), .value(1)])
    }

    @Test func `What tryRemoveDuplicates throws ends the chain`() {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, any Error>()
        upstream.tryRemoveDuplicates { _, _ in throw Oops("thrown") }.subscribe(recorder)
        upstream.send(1)
        upstream.send(2)
        #expect(recorder.events == [.subscription("TryRemoveDuplicates"), .value(1), .failure("thrown")])
        #expect(upstream.events.last == .cancelled)
    }

    @Test func `The first value that is refused ends a prefix`() {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, Oops>(requesting: .max(9))
        upstream.prefix { $0 < 3 }.subscribe(recorder)
        for value in 1...4 { upstream.send(value) }
        #expect(recorder.events == [.subscription("PrefixWhile"), .value(1), .value(2), .finished])
        #expect(upstream.events == [.requested(.max(9)), .cancelled])
    }

    @Test func `What is dropped is asked for with what is wanted`() {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, Oops>(requesting: .max(2), perValue: .max(1))
        upstream.dropFirst(3).subscribe(recorder)
        #expect(recorder.events == [.subscription("Drop")])
        #expect(upstream.events == [.requested(.max(5))])
        for value in 1...3 { #expect(upstream.send(value) == .none) }
        #expect(upstream.send(4) == .max(1))
        recorder.request(.max(7))
        #expect(recorder.values == [4])
        #expect(upstream.events == [.requested(.max(5)), .requested(.max(7))])
        recorder.cancel()
        #expect(upstream.events.last == .cancelled)
    }

    @Test func `An empty publisher gets a value when it is asked for`() {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, Oops>(requesting: nil)
        upstream.replaceEmpty(with: 7).subscribe(recorder)
        upstream.send(completion: .finished)
        #expect(recorder.events == [.subscription("ReplaceEmpty")])
        recorder.request(.max(1))
        #expect(recorder.signals == [.value(7), .finished])
        let full = Recorder<Int, Never>()
        [1].publisher.eraseToAnyPublisher().replaceEmpty(with: 7).subscribe(full)
        #expect(full.signals == [.value(1), .finished])
    }

    @Test func `A failure is replaced when there is demand for the replacement`() {
        let upstream = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, Never>(requesting: .max(1))
        upstream.replaceError(with: 7).subscribe(recorder)
        upstream.send(1)
        upstream.send(completion: .failure(Oops()))
        #expect(recorder.events == [.subscription("ReplaceError"), .value(1)])
        recorder.request(.max(1))
        #expect(recorder.signals == [.value(1), .value(7), .finished])
    }

    @Test func `A negative number to drop traps`() async {
        await #expect(processExitsWith: .failure) {
            PassthroughSubject<Int, Never>().dropFirst(-1).subscribe(AnySubscriber())
        }
    }

    @Test func `Nothing is left of a chain`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, witness) in
            subject.filter { _ in
                _ = witness; return true
            }.compactMap {
                _ = witness; return $0
            }
            .removeDuplicates {
                _ = witness; return $0 == $1
            }.drop { _ in
                _ = witness; return false
            }
            .prefix { _ in
                _ = witness; return true
            }.dropFirst().replaceEmpty(with: 1).eraseToAnyPublisher()
        }
    }
}
