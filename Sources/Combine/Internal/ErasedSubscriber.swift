/// A subscriber whose type is hidden behind closures rather than behind a class with virtual methods.
///
/// A method that is called virtually on a generic class, or through a protocol, runs the code that knows no types.
/// A closure that was made where the types are known runs the code that was compiled for them; so a value goes from a
/// subject, or through an erasure, straight into the specialised chain.
///
/// Operators hide their downstream too. A stage whose type contained all that come after it would be specialised only as
/// long as no operator comes twice in a chain: types that grow stop the optimizer.
@frozen
@usableFromInline
struct ErasedSubscriber<Input, Failure: Error> {
    /// What a subscriber receives in addition to values.
    @usableFromInline
    enum Occasion {
        case subscription(any Subscription)
        case completion(Subscribers.Completion<Failure>)
        case whoIsThere((Any) -> Void)
    }

    @usableFromInline let receiveValue: (Input) -> Subscribers.Demand
    @usableFromInline let receiveOccasion: (Occasion) -> Void

    @inlinable
    init(
        receiveValue: @escaping (Input) -> Subscribers.Demand, receiveOccasion: @escaping (Occasion) -> Void
    ) {
        self.receiveValue = receiveValue
        self.receiveOccasion = receiveOccasion
    }

    @inlinable
    init<Downstream: Subscriber>(_ downstream: Downstream)
    where Downstream.Input == Input, Downstream.Failure == Failure {
        if let erased = downstream as? AnySubscriber<Input, Failure> {
            self = erased.erasedSubscriber
            return
        }
        let held = Held(downstream)
        self.init(
            receiveValue: { held.subscriber.receive($0) },
            receiveOccasion: { occasion in
                switch occasion {
                case .subscription(let subscription): held.subscriber.receive(subscription: subscription)
                case .completion(let completion): held.subscriber.receive(completion: completion)
                case .whoIsThere(let answer): answer(held.subscriber)
                }
            })
    }

    /// Both closures hold the one object, and need no context of their own for it.
    @usableFromInline
    final class Held<Downstream: Subscriber> {
        @usableFromInline let subscriber: Downstream

        @inlinable
        init(_ subscriber: Downstream) {
            self.subscriber = subscriber
        }
    }

    @inlinable
    func receive(subscription: any Subscription) {
        receiveOccasion(.subscription(subscription))
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Failure>) {
        receiveOccasion(.completion(completion))
    }

    /// The subscriber itself, for descriptions and mirrors.
    @usableFromInline
    var subscriber: Any {
        var found: Any = ()
        receiveOccasion(.whoIsThere { found = $0 })
        return found
    }
}
