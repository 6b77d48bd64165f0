/// A publisher whose own type is hidden: an API that returns this can change its operators freely.
@frozen
public struct AnyPublisher<Output, Failure: Error>: Publisher, CustomStringConvertible,
    CustomPlaygroundDisplayConvertible
{
    @usableFromInline
    let attach: (AnySubscriber<Output, Failure>) -> Void

    /// Hides the type of a publisher.
    @inlinable
    public init<P>(_ publisher: P) where Output == P.Output, Failure == P.Failure, P: Publisher {
        if let already = publisher as? AnyPublisher<Output, Failure> {
            self = already
        } else {
            // A closure, for the reason that an erased subscriber has closures: it knows the publisher's type.
            attach = { publisher.receive(subscriber: $0) }
        }
    }

    // The subscriber's type is hidden too. What is upstream of here was compiled without knowing it, and would
    // otherwise reach it through generic witnesses for every value.
    @inlinable
    public func receive<S>(subscriber: S) where Output == S.Input, Failure == S.Failure, S: Subscriber {
        attach(AnySubscriber(subscriber))
    }

    public var description: String { "AnyPublisher" }

    public var playgroundDescription: Any { description }
}

extension Publisher {
    /// Hides the type of this publisher.
    @inlinable
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
        AnyPublisher(self)
    }
}
