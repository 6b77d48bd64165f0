/// What a subject keeps of each of its subscribers, whatever the subscriber's type.
///
/// Values do not go through a virtual method: those of a generic class are never specialised into a client, and would
/// look up the types' metadata for each value. A closure that is made where the subscriber's type is known is
/// specialised with it; as it captures nothing, it costs nothing.
@usableFromInline
class Conduit<Output, Failure: Error> {
    @usableFromInline
    typealias Offer = (Conduit, Output) -> Void

    @usableFromInline final let offering: Offer

    @inlinable
    init(_ offering: @escaping Offer) {
        self.offering = offering
    }

    @inline(__always)
    @inlinable
    final func offer(_ output: Output) { offering(self, output) }

    @inlinable
    func finish(_ completion: Subscribers.Completion<Failure>) { fatalError("A conduit's base leads nowhere.") }
}

/// A subject's subscribers in the order in which they came. Most subjects have one.
@usableFromInline
enum Conduits<Output, Failure: Error> {
    case none
    case one(Conduit<Output, Failure>)
    case many(ContiguousArray<Conduit<Output, Failure>>)

    @inlinable
    mutating func append(_ conduit: Conduit<Output, Failure>) {
        switch consume self {
        case .none:
            self = .one(conduit)
        case .one(let first):
            self = .many([first, conduit])
        case .many(var conduits):
            self = .none
            conduits.append(conduit)
            self = .many(conduits)
        }
    }

    @inlinable
    mutating func remove(_ conduit: Conduit<Output, Failure>) {
        switch consume self {
        case .none:
            self = .none
        case .one(let first):
            self = first === conduit ? .none : .one(first)
        case .many(var conduits):
            self = .none
            if let index = conduits.firstIndex(where: { $0 === conduit }) {
                conduits.remove(at: index)
            }
            self = conduits.isEmpty ? .none : .many(conduits)
        }
    }

    @inlinable
    mutating func take() -> Self {
        let taken = self
        self = .none
        return taken
    }

    @inline(__always)
    @inlinable
    func forEach(_ body: (Conduit<Output, Failure>) -> Void) {
        switch self {
        case .none: break
        case .one(let conduit): body(conduit)
        case .many(let conduits): conduits.forEach(body)
        }
    }
}
