extension Publisher where Failure == Never {
    /// Makes a publisher wait until it is connected, so that all subscribers can be in place.
    public func makeConnectable() -> Publishers.MakeConnectable<Self> {
        .init(upstream: self)
    }
}

extension Publishers {
    /// What `makeConnectable` returns.
    public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        private let inner: Multicast<Upstream, PassthroughSubject<Output, Failure>>

        public init(upstream: Upstream) {
            inner = upstream.multicast(PassthroughSubject.init)
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            inner.subscribe(subscriber)
        }

        public func connect() -> any Cancellable {
            inner.connect()
        }
    }
}
