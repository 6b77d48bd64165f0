/// A subscriber whose own type is nobody's business, or that is made of closures.
@frozen
public struct AnySubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible, CustomReflectable,
    CustomPlaygroundDisplayConvertible
{
    @usableFromInline
    let box: AnySubscriberBox<Input, Failure>

    public let combineIdentifier: CombineIdentifier

    /// Hides the type of a subscriber.
    @inlinable
    public init<S>(_ s: S) where Input == S.Input, Failure == S.Failure, S: Subscriber {
        if let already = s as? AnySubscriber<Input, Failure> {
            self = already
        } else {
            box = SubscriberBox(s)
            combineIdentifier = s.combineIdentifier
        }
    }

    /// Makes a subscriber of a subject, which is sent what the subscriber receives.
    public init<S>(_ s: S) where Input == S.Output, Failure == S.Failure, S: Subject {
        self.init(SubjectSubscriber(s))
    }

    /// Makes a subscriber of closures. One that is left out asks for nothing and does nothing.
    public init(
        receiveSubscription: ((any Subscription) -> Void)? = nil,
        receiveValue: ((Input) -> Subscribers.Demand)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
    ) {
        box = ClosureSubscriberBox(receiveSubscription, receiveValue, receiveCompletion)
        combineIdentifier = CombineIdentifier()
    }

    @inlinable
    public func receive(subscription: any Subscription) {
        box.receive(subscription: subscription)
    }

    @inlinable
    public func receive(_ value: Input) -> Subscribers.Demand {
        box.receiving(box, value)
    }

    @inlinable
    public func receive(completion: Subscribers.Completion<Failure>) {
        box.receive(completion: completion)
    }

    public var description: String { box.description }

    public var customMirror: Mirror { box.customMirror }

    public var playgroundDescription: Any { box.playgroundDescription }
}

/// What `AnySubscriber` calls, whatever the subscriber's type. Values go through a closure that is specialised with it,
/// which a virtual method of a generic class never is.
@usableFromInline
class AnySubscriberBox<Input, Failure: Error> {
    @usableFromInline
    typealias Receive = (AnySubscriberBox, Input) -> Subscribers.Demand

    @usableFromInline final let receiving: Receive

    @inlinable
    init(_ receiving: @escaping Receive) {
        self.receiving = receiving
    }

    @usableFromInline
    func receive(subscription: any Subscription) { fatalError("A subscriber's box has no subscriber.") }

    @usableFromInline
    func receive(completion: Subscribers.Completion<Failure>) { fatalError("A subscriber's box has no subscriber.") }

    @usableFromInline
    var description: String { "Anonymous AnySubscriber" }

    @usableFromInline
    var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    @usableFromInline
    var playgroundDescription: Any { description }
}

@usableFromInline
final class SubscriberBox<Base: Subscriber>: AnySubscriberBox<Base.Input, Base.Failure> {
    @usableFromInline
    let base: Base

    @inlinable
    init(_ base: Base) {
        self.base = base
        super.init { unsafeDowncast($0, to: SubscriberBox<Base>.self).base.receive($1) }
    }

    @inlinable
    override func receive(subscription: any Subscription) { base.receive(subscription: subscription) }

    @inlinable
    override func receive(completion: Subscribers.Completion<Base.Failure>) { base.receive(completion: completion) }

    @usableFromInline
    override var description: String { String(describing: base) }

    @usableFromInline
    override var customMirror: Mirror {
        (base as? any CustomReflectable)?.customMirror ?? Mirror(base, children: EmptyCollection())
    }

    @usableFromInline
    override var playgroundDescription: Any {
        (base as? any CustomPlaygroundDisplayConvertible)?.playgroundDescription ?? description
    }
}

private final class ClosureSubscriberBox<Input, Failure: Error>: AnySubscriberBox<Input, Failure> {
    private let subscriptionAction: ((any Subscription) -> Void)?
    private let completionAction: ((Subscribers.Completion<Failure>) -> Void)?

    init(
        _ subscriptionAction: ((any Subscription) -> Void)?, _ valueAction: ((Input) -> Subscribers.Demand)?,
        _ completionAction: ((Subscribers.Completion<Failure>) -> Void)?
    ) {
        self.subscriptionAction = subscriptionAction
        self.completionAction = completionAction
        super.init { valueAction?($1) ?? .none }
    }

    override func receive(subscription: any Subscription) { subscriptionAction?(subscription) }

    override func receive(completion: Subscribers.Completion<Failure>) { completionAction?(completion) }
}
