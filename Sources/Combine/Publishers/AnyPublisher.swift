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
        box.receive(AnySubscriber(subscriber))
    }

    public var description: String { "AnyPublisher" }

    public var playgroundDescription: Any { description }
}

@usableFromInline
class AnyPublisherBox<Output, Failure: Error> {
    @usableFromInline
    init() {}

    @usableFromInline
    func receive(_ subscriber: AnySubscriber<Output, Failure>) { fatalError("A publisher's box has no publisher.") }
}

@usableFromInline
final class PublisherBox<Base: Publisher>: AnyPublisherBox<Base.Output, Base.Failure> {
    @usableFromInline
    let base: Base

    @inlinable
    init(_ base: Base) {
        self.base = base
        super.init()
    }

    @inlinable
    override func receive(_ subscriber: AnySubscriber<Base.Output, Base.Failure>) {
        base.receive(subscriber: subscriber)
    }
}

extension Publisher {
    /// Hides the type of this publisher.
    @inlinable
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
        AnyPublisher(self)
    }
}
