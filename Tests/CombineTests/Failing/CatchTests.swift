import Combine
import Testing

@Suite struct CatchTests {
    @Test func `The second publisher is asked for what the first owes`() {
        let first = ProbePublisher<Int, Oops>()
        let second = ProbePublisher<Int, Never>()
        let recorder = Recorder<Int, Never>(requesting: .max(3), perValue: .max(1))
        first.catch { _ in second }.subscribe(recorder)
        #expect(first.send(1) == .max(1))
        first.send(2)
        first.send(completion: .failure(Oops()))
        #expect(first.events == [.requested(.max(3))])
        #expect(second.events == [.requested(.max(3))])
        second.send(3)
        recorder.request(.max(5))
        #expect(second.events == [.requested(.max(3)), .requested(.max(5))])
        second.send(completion: .finished)
        #expect(recorder.events == [.subscription("Catch"), .value(1), .value(2), .value(3), .finished])
    }

    @Test func `Where the first fails inside of its value, the second is asked for what that value returns`() {
        let first = ProbePublisher<Int, Oops>()
        let second = ProbePublisher<Int, Never>()
        let recorder = Recorder<Int, Never>(requesting: .max(3))
        first.catch { _ in second }.subscribe(recorder)
        recorder.onValue = { _ in
            first.send(completion: .failure(Oops()))
            return .max(4)
        }
        #expect(first.send(1) == .none)
        #expect(second.events == [.requested(.max(2)), .requested(.max(4))])
    }

    @Test func `A second without a subscription yet is asked for that once, together with the rest`() {
        let first = ProbePublisher<Int, Oops>()
        let second = ProbePublisher<Int, Never>(subscription: nil)
        let recorder = Recorder<Int, any Error>(requesting: .max(3))
        first.tryCatch { _ in second.setFailureType(to: Oops.self) }.subscribe(recorder)
        recorder.onValue = { _ in
            first.send(completion: .failure(Oops()))
            return .max(4)
        }
        #expect(first.send(1) == .none)
        let subscription = ProbeSubscription()
        second.send(subscription: subscription)
        #expect(subscription.events == [.requested(.max(6))])
    }

    @Test func `Where it is asked for everything inside of the last value of the first, so is the second, once`() {
        let first = ProbePublisher<Int, Oops>()
        let second = ProbePublisher<Int, Never>()
        let recorder = Recorder<Int, Never>(requesting: .max(3))
        first.catch { _ in second }.subscribe(recorder)
        recorder.onValue = { _ in
            recorder.request(.unlimited)
            first.send(completion: .failure(Oops()))
            return .none
        }
        first.send(1)
        #expect(second.events == [.requested(.unlimited)])
    }

    @Test func `A first publisher that finishes is all there is`() {
        let recorder = Recorder<Int, Never>()
        let first = ProbePublisher<Int, Oops>()
        var isAsked = false
        first.catch { _ -> Just<Int> in
            isAsked = true
            return Just(0)
        }.subscribe(recorder)
        first.send(completion: .finished)
        #expect(recorder.signals == [.finished])
        #expect(!isAsked)
    }

    @Test func `Cancelling reaches whichever publisher is there`() {
        let first = ProbePublisher<Int, Oops>()
        let second = ProbePublisher<Int, Never>()
        let recorder = Recorder<Int, Never>()
        first.catch { _ in second }.subscribe(recorder)
        first.send(completion: .failure(Oops()))
        recorder.cancel()
        second.send(completion: .finished)
        #expect(recorder.signals == [])
        #expect(second.events == [.requested(.unlimited), .cancelled])
        #expect(first.events == [.requested(.unlimited)])
    }

    @Test func `Downstream hears no failure where it cancels while the handler is asked`() {
        let first = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, any Error>()
        first.tryCatch { error -> Just<Int> in
            recorder.cancel()
            throw error
        }.subscribe(recorder)
        first.send(completion: .failure(Oops()))
        #expect(recorder.signals == [])
    }

    @Test func `The second publisher is not subscribed to where downstream cancels while the handler is asked`() {
        let first = ProbePublisher<Int, Oops>()
        let second = ProbePublisher<Int, Never>()
        let recorder = Recorder<Int, Never>()
        first.catch { _ in
            recorder.cancel()
            return second
        }.subscribe(recorder)
        first.send(completion: .failure(Oops()))
        #expect(second.subscriberCount == 0)
    }

    @Test func `A handler that throws fails the chain with that`() {
        let first = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, any Error>()
        first.tryCatch { error -> Just<Int> in throw Oops(error.name + "!") }.subscribe(recorder)
        first.send(completion: .failure(Oops()))
        #expect(recorder.events == [.subscription("TryCatch"), .failure("oops!")])
    }

    @Test func `A handler that does not throw goes on`() {
        let first = ProbePublisher<Int, Oops>()
        let recorder = Recorder<Int, any Error>()
        first.tryCatch { _ in Just(1).setFailureType(to: Oops.self) }.subscribe(recorder)
        first.send(completion: .failure(Oops()))
        #expect(recorder.signals == [.value(1), .finished])
    }

    @Test func `Its subscription shows what it owes`() throws {
        let recorder = Recorder<Int, Never>(requesting: .max(2))
        ProbePublisher<Int, Oops>().catch { _ in Just(1) }.subscribe(recorder)
        let children = Array(Mirror(reflecting: try #require(recorder.subscription)).children)
        #expect(children.map { $0.label } == ["downstream", "demand"])
        #expect(children[1].value as? Subscribers.Demand == .max(2))
    }

    @Test func `assertNoFailure lets everything pass but a failure`() async {
        let recorder = Recorder<Int, Never>()
        Result<Int, Oops>.success(1).publisher.assertNoFailure().subscribe(recorder)
        #expect(recorder.signals == [.value(1), .finished])
        await #expect(processExitsWith: .failure) {
            Fail<Int, Oops>(error: Oops()).assertNoFailure("must not").subscribe(Recorder<Int, Never>())
        }
    }

    @Test func `Nothing is left of a chain`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Oops>, witness) in
            subject.catch { _ in
                _ = witness; return Just(1)
            }.eraseToAnyPublisher().setFailureType(to: Oops.self)
                .eraseToAnyPublisher()
        }
    }
}
