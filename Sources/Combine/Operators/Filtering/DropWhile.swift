import Synchronization

extension Publisher {
    /// Leaves out values until one is refused by the closure, which passes as all after it do.
    @inlinable
    public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
        .init(upstream: self, predicate: predicate)
    }
}

extension Publishers {
    /// What `drop(while:)` returns.
    public struct DropWhile<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let predicate: (Upstream.Output) -> Bool

        @inlinable
        public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
            self.upstream = upstream
            self.predicate = predicate
        }

        @inlinable
        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            let step = DropWhileStep<Upstream, Failure>("DropWhile", predicate: predicate)
            upstream.subscribe(ValueStepStage(step, downstream: AnySubscriber(subscriber), showsDownstream: false))
        }
    }
}

/// What `drop(while:)` and its form that may throw do with each value.
@usableFromInline
final class DropWhileStep<Upstream: Publisher, Failure: Error>: ValueStep {
    @usableFromInline let name: String
    @usableFromInline let predicate: (Upstream.Output) throws(Failure) -> Bool
    @usableFromInline let isOver = Atomic(false)

    @inlinable
    init(_ name: String, predicate: @escaping (Upstream.Output) throws(Failure) -> Bool) {
        self.name = name
        self.predicate = predicate
    }

    @inlinable
    static var isFilter: Bool { false }

    @inlinable
    static func check(_ demand: Subscribers.Demand) { demand.requireSome() }

    @inlinable
    func step(_ input: Upstream.Output) throws(Failure) -> StepResult<Upstream.Output> {
        if isOver.load(ordering: .relaxed) { return .pass(input) }
        if try predicate(input) { return .skip }
        isOver.store(true, ordering: .relaxed)
        return .pass(input)
    }
}
