extension Publisher {
    /// Drops values until another publisher sends one.
    public func drop<P>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P>
    where P: Publisher, Failure == P.Failure {
        .init(upstream: self, other: publisher)
    }
}

extension Publishers {
    /// What `drop(untilOutputFrom:)` returns.
    public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher
    where Upstream.Failure == Other.Failure {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let other: Other

        public init(upstream: Upstream, other: Other) {
            self.upstream = upstream
            self.other = other
        }

        public func receive<S>(subscriber: S)
        where S: Subscriber, Upstream.Output == S.Input, Other.Failure == S.Failure {
            let stage = UntilOutputStage(subscriber, name: "DropUntilOutput", isOpen: false)
            stage.open()
            other.subscribe(
                UntilOutputStage.Trigger<Other.Output, Other.Failure>(stage: stage) { stage.finishUnopened($0) })
            upstream.subscribe(stage)
        }
    }
}

extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}
