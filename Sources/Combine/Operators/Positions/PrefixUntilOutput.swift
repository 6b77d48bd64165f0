extension Publisher {
    /// Passes values until another publisher sends one.
    public func prefix<P>(untilOutputFrom publisher: P) -> Publishers.PrefixUntilOutput<Self, P> where P: Publisher {
        .init(upstream: self, other: publisher)
    }
}

extension Publishers {
    /// What `prefix(untilOutputFrom:)` returns.
    public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let other: Other

        public init(upstream: Upstream, other: Other) {
            self.upstream = upstream
            self.other = other
        }

        public func receive<S>(subscriber: S)
        where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            let stage = UntilOutputStage(subscriber, name: "PrefixUntilOutput", isOpen: true)
            other.subscribe(UntilOutputStage.Trigger<Other.Output, Other.Failure>(stage: stage) { _ in })
            upstream.subscribe(stage)
        }
    }
}

extension Publishers.PrefixUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}
