extension Publisher {
    /// Sends the values of one subscription to all subscribers. The first one connects; the last one to cancel ends it.
    public func share() -> Publishers.Share<Self> {
        .init(upstream: self)
    }
}

extension Publishers {
    /// What `share` returns.
    public final class Share<Upstream: Publisher>: Publisher, Equatable {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public final let upstream: Upstream

        private let inner: Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>

        public init(upstream: Upstream) {
            self.upstream = upstream
            inner = upstream.multicast(PassthroughSubject.init).autoconnect()
        }

        public final func receive<S: Subscriber<Output, Failure>>(subscriber: S) {
            inner.subscribe(subscriber)
        }

        public static func == (lhs: Share, rhs: Share) -> Bool {
            lhs === rhs
        }
    }
}
