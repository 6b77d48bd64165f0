/// A subscriber whose type is hidden behind functions that it carries rather than behind virtual methods.
///
/// A method that is called virtually on a generic class, or through a protocol, runs the code that knows no types.
/// A closure that was made where the types are known runs the code that was compiled for them; so a value goes from a
/// subject, or through an erasure, straight into the specialised chain. The closures capture nothing: they are given the
/// object that they belong to, so that a call holds nothing and counts no reference.
///
/// Operators hide their downstream too. A stage whose type contained all that come after it would be specialised only as
/// long as no operator comes twice in a chain: types that grow stop the optimizer.
@usableFromInline
class ErasedSubscriber<Input, Failure: Error> {
    @usableFromInline final let handSubscription: (ErasedSubscriber, any Subscription) -> Void
    @usableFromInline final let handValue: (ErasedSubscriber, Input) -> Subscribers.Demand
    @usableFromInline final let handCompletion: (ErasedSubscriber, Subscribers.Completion<Failure>) -> Void

    @inlinable
    init(
        handSubscription: @escaping (ErasedSubscriber, any Subscription) -> Void,
        handValue: @escaping (ErasedSubscriber, Input) -> Subscribers.Demand,
        handCompletion: @escaping (ErasedSubscriber, Subscribers.Completion<Failure>) -> Void
    ) {
        self.handSubscription = handSubscription
        self.handValue = handValue
        self.handCompletion = handCompletion
    }

    /// The subscriber itself, for descriptions and mirrors.
    @usableFromInline
    var subscriber: Any { fatalError("Every erased subscriber says what it is.") }

    @inline(__always)
    @inlinable
    final func receive(subscription: any Subscription) {
        handSubscription(self, subscription)
    }

    @inline(__always)
    @inlinable
    final func receive(_ input: Input) -> Subscribers.Demand {
        handValue(self, input)
    }

    @inline(__always)
    @inlinable
    final func receive(completion: Subscribers.Completion<Failure>) {
        handCompletion(self, completion)
    }
}

/// The object that a subscriber of a known type is hidden in.
@usableFromInline
final class HeldSubscriber<Downstream: Subscriber>: ErasedSubscriber<Downstream.Input, Downstream.Failure> {
    @usableFromInline let downstream: Downstream

    @inlinable
    init(_ downstream: Downstream) {
        self.downstream = downstream
        super.init(
            handSubscription: { unsafeDowncast($0, to: HeldSubscriber.self).downstream.receive(subscription: $1) },
            handValue: { unsafeDowncast($0, to: HeldSubscriber.self).downstream.receive($1) },
            handCompletion: { unsafeDowncast($0, to: HeldSubscriber.self).downstream.receive(completion: $1) })
    }

    @usableFromInline
    override var subscriber: Any { downstream }
}
