extension Publisher where Failure == Never {
    /// Keeps a `@Published` property at this publisher's latest value, for as long as the property is there.
    public func assign(to published: inout Published<Output>.Publisher) {
        subscribe(PublishedAssignment(subject: published.subject))
    }
}

/// Sends what it receives to a published property, which owns the subscription and is not owned in turn.
private struct PublishedAssignment<Value>: Subscriber {
    typealias Failure = Never

    private final class Target {
        weak var subject: PublishedSubject<Value>?

        init(_ subject: PublishedSubject<Value>) {
            self.subject = subject
        }
    }

    let combineIdentifier = CombineIdentifier()
    private let target: Target

    init(subject: PublishedSubject<Value>) {
        target = Target(subject)
    }

    func receive(subscription: any Subscription) {
        target.subject?.keep(subscription)
    }

    func receive(_ input: Value) -> Subscribers.Demand {
        target.subject?.send(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}
}
