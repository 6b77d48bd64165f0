/// A subscriber whose own type is hidden, or that is made of closures.
@frozen
public struct AnySubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible, CustomReflectable,
    CustomPlaygroundDisplayConvertible
{
    @usableFromInline
    let erasedSubscriber: ErasedSubscriber<Input, Failure>

    public let combineIdentifier: CombineIdentifier

    /// Hides the type of a subscriber.
    @inlinable
    public init<S>(_ s: S) where Input == S.Input, Failure == S.Failure, S: Subscriber {
        erasedSubscriber = ErasedSubscriber(s)
        combineIdentifier = s.combineIdentifier
    }

    /// Makes a subscriber of a subject, which is sent what the subscriber receives.
    public init<S>(_ s: S) where Input == S.Output, Failure == S.Failure, S: Subject {
        self.init(SubjectSubscriber(s))
    }

    /// Makes a subscriber of closures. One that is left out asks for nothing and does nothing.
    @inlinable
    public init(
        receiveSubscription: ((any Subscription) -> Void)? = nil,
        receiveValue: ((Input) -> Subscribers.Demand)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
    ) {
        erasedSubscriber = ErasedSubscriber(
            receiveValue: receiveValue ?? { _ in .none },
            receiveOccasion: { occasion in
                switch occasion {
                case .subscription(let subscription): receiveSubscription?(subscription)
                case .completion(let completion): receiveCompletion?(completion)
                case .whoIsThere(let answer): answer(AnonymousSubscriber())
                }
            })
        combineIdentifier = CombineIdentifier()
    }

    @inlinable
    public func receive(subscription: any Subscription) {
        erasedSubscriber.receive(subscription: subscription)
    }

    @inlinable
    public func receive(_ value: Input) -> Subscribers.Demand {
        erasedSubscriber.receiveValue(value)
    }

    @inlinable
    public func receive(completion: Subscribers.Completion<Failure>) {
        erasedSubscriber.receive(completion: completion)
    }

    public var description: String { String(describing: erasedSubscriber.subscriber) }

    public var customMirror: Mirror {
        let subscriber = erasedSubscriber.subscriber
        return (subscriber as? any CustomReflectable)?.customMirror ?? Mirror(reflecting: subscriber)
    }

    public var playgroundDescription: Any {
        (erasedSubscriber.subscriber as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription ?? description
    }
}

/// What a subscriber of closures says that it is.
@usableFromInline
struct AnonymousSubscriber: CustomStringConvertible, CustomReflectable {
    @inlinable
    init() {}

    @usableFromInline
    var description: String { "Anonymous AnySubscriber" }

    @usableFromInline
    var customMirror: Mirror { Mirror(description, children: EmptyCollection()) }
}
