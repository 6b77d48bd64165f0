import Combine
import Testing

@Suite struct FlatMapTests {
    private typealias Child = ProbePublisher<Int, Oops>

    /// A flatMap whose children are controlled by the test.
    private struct Stage {
        let upstream = ProbePublisher<Int, Oops>()
        let children = (0..<4).map { _ in Child() }
        let recorder: Recorder<Int, Oops>

        init(requesting demand: Subscribers.Demand?, maxPublishers: Subscribers.Demand = .unlimited) {
            recorder = Recorder(requesting: demand)
            let children = self.children
            upstream.flatMap(maxPublishers: maxPublishers) { children[$0] }.subscribe(recorder)
        }
    }

    @Test func `Downstream has its subscription before upstream is asked`() {
        let stage = Stage(requesting: nil, maxPublishers: .max(2))
        #expect(stage.recorder.events == [.subscription("FlatMap")])
        #expect(stage.upstream.events == [.requested(.max(2))])
    }

    @Test func `Children are asked for everything where downstream wants everything`() {
        let stage = Stage(requesting: .unlimited)
        #expect(stage.upstream.events == [.requested(.unlimited)])
        #expect(stage.upstream.send(0) == .none)
        stage.upstream.send(1)
        #expect(stage.children[0].events == [.requested(.unlimited)])
        #expect(stage.children[0].send(10) == .none)
        stage.children[1].send(20)
        stage.children[0].send(11)
        #expect(stage.recorder.values == [10, 20, 11])
    }

    @Test func `Each child is one value ahead of a limited demand`() {
        let stage = Stage(requesting: .max(1))
        stage.upstream.send(0)
        stage.upstream.send(1)
        #expect(stage.children[0].events == [.requested(.max(1))])
        #expect(stage.children[0].send(10) == .max(1))
        #expect(stage.children[0].send(11) == .none)
        #expect(stage.children[1].send(20) == .none)
        #expect(stage.recorder.values == [10])
        stage.recorder.request(.max(1))
        #expect(stage.recorder.values == [10, 11])
        #expect(stage.children[0].events == [.requested(.max(1)), .requested(.max(1))])
        #expect(stage.children[1].events == [.requested(.max(1))])
        stage.recorder.request(.unlimited)
        #expect(stage.recorder.values == [10, 11, 20])
        #expect(stage.children[0].events.last == .requested(.unlimited))
        #expect(stage.children[1].events.last == .requested(.unlimited))
    }

    @Test func `A child that ends makes room for another`() {
        let stage = Stage(requesting: .unlimited, maxPublishers: .max(1))
        stage.upstream.send(0)
        stage.children[0].send(completion: .finished)
        #expect(stage.upstream.events == [.requested(.max(1)), .requested(.max(1))])
    }

    @Test func `The end comes when upstream and all children have ended and nothing is kept`() {
        let stage = Stage(requesting: .max(1))
        stage.upstream.send(0)
        stage.upstream.send(1)
        stage.upstream.send(completion: .finished)
        stage.children[0].send(10)
        stage.children[0].send(11)
        stage.children[0].send(completion: .finished)
        stage.children[1].send(completion: .finished)
        #expect(stage.recorder.signals == [.value(10)])
        stage.recorder.request(.max(1))
        #expect(stage.recorder.signals == [.value(10), .value(11), .finished])
    }

    @Test func `A child's failure cancels upstream and the other children, and nothing comes after it`() {
        let stage = Stage(requesting: .unlimited)
        stage.upstream.send(0)
        stage.upstream.send(1)
        stage.children[0].send(completion: .failure(Oops()))
        stage.children[1].send(20)
        stage.children[1].send(completion: .failure(Oops("late")))
        stage.upstream.send(2)
        stage.upstream.send(completion: .finished)
        #expect(stage.recorder.signals == [.failure("oops")])
        #expect(stage.upstream.subscription?.isCancelled == true)
        #expect(stage.children[1].subscription?.isCancelled == true)
        #expect(stage.children[0].subscription?.isCancelled == false)
        #expect(stage.children[2].subscriberCount == 0)
    }

    @Test func `Upstream's failure cancels the children`() {
        let stage = Stage(requesting: .unlimited)
        stage.upstream.send(0)
        stage.upstream.send(completion: .failure(Oops()))
        stage.children[0].send(1)
        #expect(stage.recorder.signals == [.failure("oops")])
        #expect(stage.children[0].subscription?.isCancelled == true)
        #expect(stage.upstream.subscription?.isCancelled == false)
    }

    @Test func `Cancelling cancels everything`() {
        let stage = Stage(requesting: .unlimited)
        stage.upstream.send(0)
        stage.recorder.cancel()
        stage.children[0].send(1)
        stage.upstream.send(completion: .finished)
        #expect(stage.recorder.signals == [])
        #expect(stage.upstream.subscription?.isCancelled == true)
        #expect(stage.children[0].subscription?.isCancelled == true)
    }

    @Test func `What is requested, cancelled or sent from inside of a value is heard`() {
        let stage = Stage(requesting: .max(1))
        stage.upstream.send(0)
        let (recorder, child) = (stage.recorder, stage.children[0])
        recorder.onValue = { value in
            switch value {
            case 1:
                child.send(2)
                return .max(1)
            case 2:
                recorder.request(.max(1))
                child.send(3)
                return .none
            default:
                recorder.cancel()
                return .max(1)
            }
        }
        child.send(1)
        child.send(4)
        #expect(recorder.signals == [.value(1), .value(2), .value(3)])
    }

    @Test func `A second subscription is cancelled`() {
        let stage = Stage(requesting: .unlimited)
        let second = ProbeSubscription()
        stage.upstream.send(subscription: second)
        #expect(second.events == [.cancelled])
    }

    @Test func `Publishers that cannot fail go together with those that can`() {
        let failing = Recorder<Int, Oops>()
        [1, 2].publisher.flatMap { value in Fail<Int, Oops>(error: Oops("\(value)")) }.subscribe(failing)
        #expect(failing.signals == [.failure("1")])
        let safe = Recorder<Int, Oops>()
        Result<Int, Oops>.success(1).publisher.flatMap { [$0, $0 + 1].publisher }.subscribe(safe)
        #expect(safe.signals == [.value(1), .value(2), .finished])
        let never = Recorder<Int, Never>()
        [1, 2].publisher.flatMap(maxPublishers: .max(1)) { Just($0 * 10) }.subscribe(never)
        #expect(never.signals == [.value(10), .value(20), .finished])
    }

    @Test func `Nothing is left of a chain`() {
        expectsNothingLeft { (subject: PassthroughSubject<Int, Never>, witness) in
            subject.flatMap { value -> AnyPublisher<Int, Never> in
                _ = witness
                return value == 1 ? Just(value).eraseToAnyPublisher() : subject.first().eraseToAnyPublisher()
            }.eraseToAnyPublisher()
        }
    }
}
