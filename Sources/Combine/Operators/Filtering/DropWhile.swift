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
        public func receive<S>(subscriber: S)
        where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            upstream.subscribe(
                ValueStepStage(
                    Step(predicate: predicate), downstream: AnySubscriber(subscriber), showsDownstream: false))
        }

        @usableFromInline
        struct Step: ValueStep {
            @usableFromInline
            typealias UpstreamFailure = Upstream.Failure
            @usableFromInline
            typealias Failure = Upstream.Failure

            @usableFromInline var predicate: ((Upstream.Output) -> Bool)?

            @inlinable
            init(predicate: @escaping (Upstream.Output) -> Bool) {
                self.predicate = predicate
            }

            @inlinable
            static var name: String { "DropWhile" }

            @inlinable
            static var isFilter: Bool { false }

            @inlinable
            static func check(_ demand: Subscribers.Demand) { demand.requireSome() }

            @inlinable
            mutating func step(_ input: Upstream.Output) -> StepResult<Upstream.Output, Failure> {
                if let predicate, predicate(input) { return .skip }
                predicate = nil
                return .pass(input)
            }
        }
    }
}
