import Combine
import Testing

@Suite("drop(untilOutputFrom:)")
struct DropUntilOutputTests {
    private let upstream = ProbePublisher<Int, Oops>()
    private let other = ProbePublisher<String, Oops>()

    private func subscribe(requesting demand: Subscribers.Demand? = .unlimited) -> Recorder<Int, Oops> {
        let recorder = Recorder<Int, Oops>(requesting: demand)
        upstream.drop(untilOutputFrom: other).watched().subscribe(recorder)
        return recorder
    }

    @Test func `values are dropped until the other publisher sends one`() {
        let recorder = subscribe()
        upstream.send(1)
        other.send("now")
        upstream.send(2)
        upstream.send(3)
        upstream.send(completion: .finished)
        #expect(recorder.events == [.subscription("DropUntilOutput"), .value(2), .value(3), .finished])
    }

    @Test func `one value is requested of the other, which is not cancelled after it`() {
        let recorder = subscribe()
        #expect(other.events == [.requested(.max(1))])
        other.send("now")
        recorder.cancel()
        #expect(other.events == [.requested(.max(1))])
    }

    @Test func `demand is passed on, and a dropped value is one that was sent`() {
        let recorder = subscribe(requesting: .max(2))
        recorder.request(.max(1))
        #expect(upstream.events == [.requested(.max(2)), .requested(.max(1))])
        #expect(upstream.send(1) == .none)
        other.send("now")
        recorder.onValue = { _ in .max(5) }
        #expect(upstream.send(2) == .max(5))
    }

    @Test func `where the other is over before it sent, so is this`() {
        let finished = subscribe()
        other.send(completion: .finished)
        #expect(finished.signals == [.finished])
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
        let failed = Recorder<Int, Oops>()
        upstream.drop(untilOutputFrom: Fail<Int, Oops>(error: Oops())).watched().subscribe(failed)
        #expect(failed.events == [.subscription("DropUntilOutput"), .failure("oops")])
    }

    @Test func `how the other ends after it has sent is no news`() {
        let recorder = subscribe()
        other.send("now")
        other.send(completion: .failure(Oops()))
        upstream.send(1)
        #expect(recorder.signals == [.value(1)])
    }

    @Test func `the end of the upstream ends it, and cancels the other`() {
        let recorder = subscribe()
        upstream.send(completion: .failure(Oops()))
        #expect(recorder.signals == [.failure("oops")])
        #expect(other.events == [.requested(.max(1)), .cancelled])
    }

    @Test func `cancelling cancels both`() {
        let recorder = subscribe()
        recorder.cancel()
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
        #expect(other.events == [.requested(.max(1)), .cancelled])
        other.send("now")
        upstream.send(1)
        #expect(recorder.signals == [])
    }

    @Test func `it describes itself`() throws {
        #expect(try SelfDescription(of: upstream.drop(untilOutputFrom: other)) == SelfDescription("DropUntilOutput"))
        #expect(Just(1).drop(untilOutputFrom: Just(2)) == Just(1).drop(untilOutputFrom: Just(2)))
    }

    @Test func `it lets go of everything`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, witness) in
            subject.drop(untilOutputFrom: Just(1).setFailureType(to: Never.self).map { _ in ObjectIdentifier(witness) })
                .eraseToAnyPublisher()
        }
    }
}

@Suite("prefix(untilOutputFrom:)")
struct PrefixUntilOutputTests {
    private let upstream = ProbePublisher<Int, Oops>()
    private let other = ProbePublisher<String, Never>()

    private func subscribe(requesting demand: Subscribers.Demand? = .unlimited) -> Recorder<Int, Oops> {
        let recorder = Recorder<Int, Oops>(requesting: demand)
        upstream.prefix(untilOutputFrom: other).watched().subscribe(recorder)
        return recorder
    }

    @Test func `values pass until the other publisher sends one`() {
        let recorder = subscribe()
        upstream.send(1)
        other.send("now")
        upstream.send(2)
        #expect(recorder.signals == [.value(1), .finished])
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
        #expect(other.events == [.requested(.max(1))])
    }

    @Test func `demand is passed on`() {
        let recorder = subscribe(requesting: .max(2))
        recorder.onValue = { _ in .max(3) }
        #expect(upstream.events == [.requested(.max(2))])
        #expect(upstream.send(1) == .max(3))
    }

    @Test func `where the other had sent before, nothing passes`() {
        let recorder = Recorder<Int, Never>()
        [1, 2].publisher.prefix(untilOutputFrom: Just(0)).subscribe(recorder)
        #expect(recorder.events == [.finished])
    }

    @Test func `how the other ends is no news`() {
        let recorder = subscribe()
        other.send(completion: .finished)
        upstream.send(1)
        upstream.send(completion: .failure(Oops()))
        #expect(recorder.signals == [.value(1), .failure("oops")])
    }

    @Test func `cancelling cancels both`() {
        let recorder = subscribe()
        recorder.cancel()
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
        #expect(other.events == [.requested(.max(1)), .cancelled])
        #expect(recorder.signals == [])
    }

    @Test func `ending it from inside of a value ends it there`() {
        let recorder = subscribe()
        recorder.onValue = { [other] _ in
            other.send("now")
            return .max(1)
        }
        upstream.send(1)
        upstream.send(2)
        #expect(recorder.signals == [.value(1), .finished])
    }

    @Test func `it lets go of everything`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, witness) in
            subject.prefix(untilOutputFrom: subject.map { _ in ObjectIdentifier(witness) }.dropFirst(5))
                .eraseToAnyPublisher()
        }
    }
}
