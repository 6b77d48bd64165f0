extension Publishers {
    /// Sends arrays of so many values.
    public struct CollectByCount<Upstream: Publisher>: Publisher {
        public typealias Output = [Upstream.Output]
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// How many values make an array.
        public let count: Int

        public init(upstream: Upstream, count: Int) {
            self.upstream = upstream
            self.count = count
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            upstream.subscribe(Inner(count, subscriber))
        }
    }
}

extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}

extension Publishers.CollectByCount {
    private final class Inner<Downstream: Subscriber>: SingleUpstreamStage, SingleUpstreamSubscription
    where Downstream.Input == [Upstream.Output], Downstream.Failure == Upstream.Failure {
        typealias Input = Upstream.Output
        typealias Failure = Upstream.Failure

        private let count: Int
        let downstream: Downstream
        private var buffer: [Input] = []

        init(_ count: Int, _ downstream: Downstream) {
            self.count = count
            self.downstream = downstream
            buffer.reserveCapacity(count)
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            lock.lock()
            guard isConnected else {
                lock.unlock()
                return .none
            }
            buffer.append(input)
            guard buffer.count >= count else {
                lock.unlock()
                return .none
            }
            let full = exchange(&buffer, with: [])
            lock.unlock()
            return downstream.receive(full) * count
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            // Apple's passes every completion on, also a second one and one that comes after it was cancelled.
            _ = end()
            let rest = emptied()
            if case .finished = completion, !rest.isEmpty {
                _ = downstream.receive(rest)
            }
            downstream.receive(completion: completion)
        }

        func request(_ demand: Subscribers.Demand) {
            demand.requireSome()
            subscription?.request(demand * count)
        }

        func cancel() {
            endAndCancel()
            _ = emptied()
        }

        private func emptied() -> [Input] {
            lock { exchange(&buffer, with: []) }
        }

        var description: String { "CollectByCount" }

        var mirrorChildren: [Mirror.Child] {
            [
                ("downstream", downstream), ("upstreamSubscription", subscription as Any),
                ("buffer", lock { buffer }), ("count", count),
            ]
        }
    }
}

extension Publisher {
    /// Sends arrays of so many values; the last may be shorter.
    public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
        Publishers.CollectByCount(upstream: self, count: count)
    }
}
