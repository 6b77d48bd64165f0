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
        erasedSubscriber = .erasing(s)
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
        erasedSubscriber = AnonymousSubscriber(
            receiveSubscription: receiveSubscription, receiveValue: receiveValue, receiveCompletion: receiveCompletion)
        combineIdentifier = CombineIdentifier()
    }

    @inlinable
    public func receive(subscription: any Subscription) {
        erasedSubscriber.receive(subscription: subscription)
    }

    @inlinable
    public func receive(_ value: Input) -> Subscribers.Demand {
        erasedSubscriber.receive(value)
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

extension ErasedSubscriber {
    /// The object that a subscriber is hidden in: a new one, or the one that an erased subscriber has already.
    @inline(__always)
    @inlinable
    static func erasing<Downstream: Subscriber>(_ downstream: Downstream) -> ErasedSubscriber
    where Downstream.Input == Input, Downstream.Failure == Failure {
        if let erased = downstream as? AnySubscriber<Input, Failure> {
            return erased.erasedSubscriber
        }
        return HeldSubscriber(downstream)
    }
}

/// A subscriber that is made of closures, and what it says that it is.
@usableFromInline
final class AnonymousSubscriber<Input, Failure: Error>: ErasedSubscriber<Input, Failure>, CustomStringConvertible,
    CustomReflectable
{
    @usableFromInline let receiveSubscription: ((any Subscription) -> Void)?
    @usableFromInline let receiveValue: ((Input) -> Subscribers.Demand)?
    @usableFromInline let receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?

    @inlinable
    init(
        receiveSubscription: ((any Subscription) -> Void)?, receiveValue: ((Input) -> Subscribers.Demand)?,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    ) {
        self.receiveSubscription = receiveSubscription
        self.receiveValue = receiveValue
        self.receiveCompletion = receiveCompletion
        super.init(
            handSubscription: { unsafeDowncast($0, to: AnonymousSubscriber.self).receiveSubscription?($1) },
            handValue: { unsafeDowncast($0, to: AnonymousSubscriber.self).receiveValue?($1) ?? .none },
            handCompletion: { unsafeDowncast($0, to: AnonymousSubscriber.self).receiveCompletion?($1) })
    }

    @usableFromInline
    override var subscriber: Any { self }

    @usableFromInline
    var description: String { "Anonymous AnySubscriber" }

    @usableFromInline
    var customMirror: Mirror { Mirror(description, children: EmptyCollection()) }
}
