/// What a publisher will send, where its type shows that before it is subscribed to: at most one value, and the end.
@usableFromInline
enum Foreknown<P: Publisher> {
    case value(P.Output)
    case empty
    case failure(P.Failure)

    /// Whether the type is one of those that show it. Where types are known when this is compiled, so is the answer.
    @inlinable
    static var isPossible: Bool {
        P.self == Just<P.Output>.self || P.self == Publishers.SetFailureType<Just<P.Output>, P.Failure>.self
            || P.self == Optional<P.Output>.Publisher.self || P.self == Result<P.Output, P.Failure>.Publisher.self
    }

    @inline(__always)
    @inlinable
    init(_ publisher: P) {
        if let publisher = publisher as? Just<P.Output> {
            self = .value(publisher.output)
        } else if let publisher = publisher as? Publishers.SetFailureType<Just<P.Output>, P.Failure> {
            self = .value(publisher.upstream.output)
        } else if let publisher = publisher as? Optional<P.Output>.Publisher {
            self = publisher.output.map { .value($0) } ?? .empty
        } else if let publisher = publisher as? Result<P.Output, P.Failure>.Publisher {
            switch publisher.result {
            case .success(let value): self = .value(value)
            case .failure(let error): self = .failure(error)
            }
        } else {
            fatalError("Only a publisher that tells what it sends is asked.")
        }
    }
}
