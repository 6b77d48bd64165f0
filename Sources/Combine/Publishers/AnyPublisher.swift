/// A publisher whose own type is nobody's business: an API that returns this may change its operators freely.
@frozen
public struct AnyPublisher<Output, Failure: Error>: Publisher, CustomStringConvertible,
    CustomPlaygroundDisplayConvertible
{
    @usableFromInline
    let box: AnyPublisherBox<Output, Failure>

    /// Hides the type of a publisher.
    @inlinable
    public init<P>(_ publisher: P) where Output == P.Output, Failure == P.Failure, P: Publisher {
        if let already = publisher as? AnyPublisher<Output, Failure> {
            self = already
        } else {
            box = PublisherBox(publisher)
        }
    }

    // The subscriber's type is hidden too. What is upstream of here was compiled without knowing it, and would
    // otherwise reach it through generic witnesses for every value.
    @inlinable
    public func receive<S>(subscriber: S) where Output == S.Input, Failure == S.Failure, S: Subscriber {
        box.subscribing(box, AnySubscriber(subscriber))
    }

    public var description: String { "AnyPublisher" }

    public var playgroundDescription: Any { description }
}

/// What `AnyPublisher` subscribes to. It goes through a closure that is specialised with the publisher, which a virtual
/// method of a generic class never is.
@usableFromInline
class AnyPublisherBox<Output, Failure: Error> {
    @usableFromInline
    typealias Subscribe = (AnyPublisherBox, AnySubscriber<Output, Failure>) -> Void

    @usableFromInline final let subscribing: Subscribe

    @inlinable
    init(_ subscribing: @escaping Subscribe) {
        self.subscribing = subscribing
    }
}

@usableFromInline
final class PublisherBox<Base: Publisher>: AnyPublisherBox<Base.Output, Base.Failure> {
    @usableFromInline
    let base: Base

    @inlinable
    init(_ base: Base) {
        self.base = base
        super.init { unsafeDowncast($0, to: PublisherBox<Base>.self).base.receive(subscriber: $1) }
    }
}

extension Publisher {
    /// Hides the type of this publisher.
    @inlinable
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
        AnyPublisher(self)
    }
}
