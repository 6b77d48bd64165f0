import Combine
import Testing

@Suite struct AssignTests {
    private final class Model {
        var number = 0
    }

    @Test func `A property follows the publisher until the end`() {
        let upstream = ProbePublisher<Int, Never>()
        let model = Model()
        let cancellable = upstream.assign(to: \.number, on: model)
        #expect(upstream.events == [.requested(.unlimited)])
        upstream.send(3)
        #expect(model.number == 3)
        cancellable.cancel()
        upstream.send(4)
        #expect(model.number == 3)
        #expect(upstream.events == [.requested(.unlimited), .cancelled])
    }

    @Test func `The object is let go of at the end`() {
        for end in ["finished", "cancelled"] {
            let upstream = ProbePublisher<Int, Never>()
            let assign = Subscribers.Assign(object: Model(), keyPath: \Model.number)
            upstream.subscribe(assign)
            #expect(assign.object != nil)
            if end == "finished" { upstream.send(completion: .finished) } else { assign.cancel() }
            #expect(assign.object == nil, "\(end)")
        }
    }

    @Test func `A second subscription is cancelled`() {
        let assign = Subscribers.Assign(object: Model(), keyPath: \Model.number)
        assign.receive(subscription: ProbeSubscription())
        let second = ProbeSubscription()
        assign.receive(subscription: second)
        #expect(second.events == [.cancelled])
    }

    @Test func `It describes itself`() {
        let assign = Subscribers.Assign(object: Model(), keyPath: \Model.number)
        #expect(assign.description == "Assign Model.")
        #expect(assign.customMirror.children.map { $0.label } == ["object", "keyPath", "status"])
    }
}
