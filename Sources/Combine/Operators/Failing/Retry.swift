extension Publisher {
    /// Subscribes again where the publisher fails, this many times at most.
    public func retry(_ retries: Int) -> Publishers.Retry<Self> {
        .init(upstream: self, retries: retries)
    }
}

extension Publishers {
    /// What `retry` returns.
    public struct Retry<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        /// How often to try again; nil tries forever.
        public let retries: Int?

        public init(upstream: Upstream, retries: Int?) {
            self.upstream = upstream
            self.retries = retries
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            upstream.subscribe(Inner(subscriber, retry: self))
        }
    }
}

extension Publishers.Retry: Equatable where Upstream: Equatable {}

extension Publishers.Retry {
    private final class Inner<Downstream: Subscriber>: Subscriber, Subscription, StageDescription
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
        private final class Source {
            let upstream: Upstream

            init(_ upstream: Upstream) {
                self.upstream = upstream
            }
        }

        private let state: Locked<RetryStateMachine>

        init(_ downstream: Downstream, retry: Publishers.Retry<Upstream>) {
            state = Locked(
                RetryStateMachine(
                    retries: retry.retries,
                    ends: .init(upstream: Source(retry.upstream), downstream: Outlet(downstream))))
        }

        func receive(subscription: any Subscription) {
            let (action, ends) = state.withLock { ($0.receive(subscription), $0.ends) }
            action.perform(with: subscription) { outlet(ends)?.downstream.receive(subscription: self) }
        }

        func receive(_ input: Upstream.Output) -> Subscribers.Demand {
            guard let outlet = state.withLock({ $0.receiveValue() }) else { return .none }
            let more = unsafeDowncast(outlet, to: Outlet<Downstream>.self).receive(input)
            if more > .none {
                // Not returned: the attempt that this value belongs to may be over by now.
                request(more)
            }
            return .none
        }

        func receive(completion: Subscribers.Completion<Upstream.Failure>) {
            switch completion {
            case .finished:
                outlet(state.withLock { $0.end() }.ends)?.downstream.receive(completion: completion)
            case .failure:
                switch state.withLock({ $0.fail() }) {
                case .ignore, .wait: break
                case .subscribe(let ends, after: _):
                    subscribe(to: unsafeDowncast(ends.upstream, to: Source.self).upstream)
                case .complete(let released): outlet(released.ends)?.downstream.receive(completion: completion)
                }
            }
        }

        private func outlet(_ ends: RetryStateMachine.Ends?) -> Outlet<Downstream>? {
            ends.map { unsafeDowncast($0.downstream, to: Outlet<Downstream>.self) }
        }

        /// A publisher may fail while it is being subscribed to. It is tried again once that call has returned, so that
        /// the stack does not grow with the attempts.
        private func subscribe(to upstream: Upstream) {
            repeat {
                upstream.subscribe(self)
            } while state.withLock { $0.mustSubscribeAgain() }
        }

        func request(_ demand: Subscribers.Demand) {
            guard demand > .none else { return }
            state.withLock { $0.request(demand) }?.request(demand)
        }

        func cancel() {
            state.withLock { $0.end() }.subscription?.cancel()
        }

        var description: String { "Retry" }
    }
}
