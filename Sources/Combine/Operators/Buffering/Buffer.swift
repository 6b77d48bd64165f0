extension Publisher {
    /// Keeps values that come before they are asked for.
    @inlinable
    public func buffer(
        size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
    ) -> Publishers.Buffer<Self> {
        .init(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
    }
}

extension Publishers {
    /// What a buffer asks its upstream for.
    public enum PrefetchStrategy: Equatable, Hashable {
        /// As many values as there is room for, and one more for each that goes.
        case keepFull
        /// Everything at once; what comes too fast meets the buffering strategy.
        case byRequest
    }

    /// What becomes of a value that a full buffer receives.
    public enum BufferingStrategy<Failure: Error> {
        /// It is lost.
        case dropNewest
        /// The oldest that is kept is lost for it.
        case dropOldest
        /// The publisher fails with this error.
        case customError(() -> Failure)
    }

    /// What `buffer` returns.
    public struct Buffer<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let size: Int
        public let prefetch: PrefetchStrategy
        public let whenFull: BufferingStrategy<Upstream.Failure>

        @inlinable
        public init(
            upstream: Upstream, size: Int, prefetch: PrefetchStrategy,
            whenFull: BufferingStrategy<Upstream.Failure>
        ) {
            self.upstream = upstream
            self.size = size
            self.prefetch = prefetch
            self.whenFull = whenFull
        }

        @inlinable
        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            upstream.subscribe(Inner(self, downstream: AnySubscriber(subscriber)))
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: Subscriber, Subscription, StageDescription
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline let state: Locked<BufferStateMachine<Upstream.Output, Upstream.Failure>>
            /// A request comes through a protocol, and so to the code that knows no types; this leads back.
            @usableFromInline let drainAll: (Inner) -> Subscribers.Demand
            @usableFromInline let size: Int
            @usableFromInline let prefetch: PrefetchStrategy
            @usableFromInline let whenFull: BufferingStrategy<Upstream.Failure>
            @usableFromInline let downstream: Downstream

            @inlinable
            init(_ buffer: Buffer, downstream: Downstream) {
                self.downstream = downstream
                drainAll = { $0.drain() }
                size = buffer.size
                prefetch = buffer.prefetch
                whenFull = buffer.whenFull
                state = Locked(BufferStateMachine(size: buffer.size, whenFull: buffer.whenFull))
            }

            @inlinable
            func receive(subscription: any Subscription) {
                guard state.withLock({ $0.receive(subscription) }) else {
                    subscription.cancel()
                    return
                }
                switch prefetch {
                case .keepFull: if size > 0 { subscription.request(.max(size)) }
                case .byRequest: subscription.request(.unlimited)
                }
                downstream.receive(subscription: self)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                switch state.withLock({ $0.receive(input) }) {
                case .ignore, .keep:
                    return .none
                case .send:
                    let drained = send(adding: downstream.receive(input))
                    return prefetch == .keepFull ? drained + 1 : .none
                case .fail:
                    fail()
                    return .none
                }
            }

            @inlinable
            func fail() {
                guard case .customError(let makeError) = whenFull else { return }
                let error = makeError()
                let upstream = state.withLock {
                    _ = $0.end(.failure(error))
                    return $0.subscription
                }
                upstream?.cancel()
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                if state.withLock({ $0.end(completion) }) {
                    _ = drain()
                }
            }

            @inlinable
            func request(_ demand: Subscribers.Demand) {
                guard let upstream = state.withLock({ $0.request(demand) }) else { return }
                let drained = drainAll(self)
                if prefetch == .keepFull, drained > .none {
                    upstream.request(drained)
                }
            }

            @inlinable
            func cancel() {
                state.withLock { $0.cancel() }.subscription?.cancel()
            }

            @inlinable
            func drain() -> Subscribers.Demand {
                state.withLock { $0.beginSending() } ? send(adding: .none) : .none
            }

            /// Sends what is kept. One call at a time does so. Returns how many values have gone.
            @inlinable
            func send(adding demand: Subscribers.Demand) -> Subscribers.Demand {
                var demand = demand
                var sent = 0
                while true {
                    switch state.withLock({ $0.next(adding: demand) }) {
                    case .send(let value):
                        demand = downstream.receive(value)
                        sent += 1
                    case .complete:
                        // Where another thread has ended it in the meantime, there is no completion any more.
                        if let completion = state.withLock({ $0.cancel() }).completion {
                            downstream.receive(completion: completion)
                        }
                        return .max(sent)
                    case .stop:
                        return .max(sent)
                    }
                }
            }

            @usableFromInline
            var description: String { "Buffer" }

            @usableFromInline
            var mirrorChildren: [Mirror.Child] {
                let machine = state.withLock { $0 }
                return [
                    ("values", Array(machine.values)), ("state", machine.state), ("downstreamDemand", machine.demand),
                    ("terminal", machine.completion as Any),
                ]
            }
        }
    }
}
