/// A stage that keeps its upstream's subscription for its downstream. It is a value: it has no state of its own.
@usableFromInline
protocol PassThrough: Subscriber, StageDescription {
    associatedtype Downstream: Subscriber
    associatedtype Failure = Downstream.Failure

    var downstream: Downstream { get }
}

extension PassThrough {
    @inline(__always)
    @inlinable
    func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
}

extension PassThrough where Downstream.Failure == Failure {
    @inline(__always)
    @inlinable
    func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }
}
