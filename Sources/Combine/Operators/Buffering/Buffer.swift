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
        public func receive<S>(subscriber: S)
        where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            upstream.subscribe(Inner(self, downstream: AnySubscriber(subscriber)))
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: Subscriber, Subscription, StageDescription
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline
            enum State {
                case ready
                case subscribed(any Subscription)
                case terminal
            }

            @usableFromInline let lock = Lock()
            /// A request comes through a protocol, and so to the code that knows no types; this leads back.
            @usableFromInline let drainAll: (Inner) -> Subscribers.Demand
            @usableFromInline let size: Int
            @usableFromInline let prefetch: PrefetchStrategy
            @usableFromInline let whenFull: BufferingStrategy<Upstream.Failure>
            @usableFromInline let downstream: Downstream
            @usableFromInline @exclusivity(unchecked) var state = State.ready
            @usableFromInline @exclusivity(unchecked) var values = Queue<Upstream.Output>()
            @usableFromInline @exclusivity(unchecked) var demand = Subscribers.Demand.none
            /// What came from upstream, and goes downstream after the values.
            @usableFromInline @exclusivity(unchecked) var terminal: Subscribers.Completion<Upstream.Failure>?
            @usableFromInline @exclusivity(unchecked) var isDraining = false

            @inlinable
            init(_ buffer: Buffer, downstream: Downstream) {
                self.downstream = downstream
                drainAll = { $0.drain() }
                size = buffer.size
                prefetch = buffer.prefetch
                whenFull = buffer.whenFull
            }

            @inlinable
            func receive(subscription: any Subscription) {
                lock.lock()
                guard case .ready = state else {
                    lock.unlock()
                    subscription.cancel()
                    return
                }
                state = .subscribed(subscription)
                lock.unlock()
                switch prefetch {
                case .keepFull: if size > 0 { subscription.request(.max(size)) }
                case .byRequest: subscription.request(.unlimited)
                }
                downstream.receive(subscription: self)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                lock.lock()
                // Apple's keeps what comes after the end has come, until that is sent.
                guard !hasFailed, case .subscribed(let upstream) = state else {
                    lock.unlock()
                    return .none
                }
                if demand > .none, values.isEmpty, !isDraining {
                    demand -= 1
                    isDraining = true
                    lock.unlock()
                    let more = downstream.receive(input)
                    lock.lock()
                    demand += more
                    let drained = drainLocked()
                    return prefetch == .keepFull ? drained + 1 : .none
                }
                var lost: Upstream.Output?
                if values.count >= size {
                    switch whenFull {
                    case .dropNewest:
                        lock.unlock()
                        return .none
                    case .dropOldest:
                        lost = values.popFirst()
                        if size > 0 {
                            values.append(input)
                        }
                    case .customError(let makeError):
                        lock.unlock()
                        let error = makeError()
                        lock.lock()
                        if terminal == nil {
                            terminal = .failure(error)
                        }
                        lock.unlock()
                        upstream.cancel()
                        return .none
                    }
                } else {
                    values.append(input)
                }
                lock.unlock()
                _ = lost
                return .none
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                lock.lock()
                guard terminal == nil, case .subscribed = state else {
                    lock.unlock()
                    return
                }
                terminal = completion
                lock.unlock()
                drain()
            }

            @inlinable
            func request(_ demand: Subscribers.Demand) {
                lock.lock()
                guard case .subscribed(let upstream) = state else {
                    lock.unlock()
                    return
                }
                self.demand += demand
                lock.unlock()
                let drained = drainAll(self)
                if prefetch == .keepFull, drained > .none {
                    upstream.request(drained)
                }
            }

            @inlinable
            func cancel() {
                lock.lock()
                // Without a subscription it goes on, and cancels nothing.
                guard case .subscribed(let upstream) = state else {
                    lock.unlock()
                    return
                }
                let released = values
                state = .terminal
                values = Queue()
                lock.unlock()
                _ = released
                upstream.cancel()
            }

            @discardableResult
            @inlinable
            func drain() -> Subscribers.Demand {
                lock.lock()
                guard !isDraining else {
                    // Whoever sends now sees to what has changed.
                    lock.unlock()
                    return .none
                }
                isDraining = true
                return drainLocked()
            }

            @inlinable
            var hasFailed: Bool {
                if case .failure = terminal { true } else { false }
            }

            /// Sends what is kept for as long as there is demand, then the completion: `finished` once nothing is kept, and
            /// as in Apple's only while there is demand; a failure as soon as there is no demand, and what is kept is lost.
            /// Is entered by one at a time and with the lock, and leaves without it. Returns how many values have gone.
            @inlinable
            func drainLocked() -> Subscribers.Demand {
                var drained = 0
                while case .subscribed = state {
                    if demand > .none, let value = values.popFirst() {
                        demand -= 1
                        drained += 1
                        lock.unlock()
                        let more = downstream.receive(value)
                        lock.lock()
                        demand += more
                    } else if let terminal, hasFailed || demand > .none {
                        let released = (state, values)
                        state = .terminal
                        values = Queue()
                        isDraining = false
                        lock.unlock()
                        _ = released
                        downstream.receive(completion: terminal)
                        return .max(drained)
                    } else {
                        break
                    }
                }
                isDraining = false
                lock.unlock()
                return .max(drained)
            }

            @usableFromInline
            var description: String { "Buffer" }

            @usableFromInline
            var mirrorChildren: [Mirror.Child] {
                lock {
                    [
                        ("values", Array(values)), ("state", state), ("downstreamDemand", demand),
                        ("terminal", terminal as Any),
                    ]
                }
            }
        }
    }
}
