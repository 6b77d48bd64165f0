import Synchronization

extension Publisher {
    /// Leaves out the first so many values.
    @inlinable
    public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
        .init(upstream: self, count: count)
    }
}

extension Publishers {
    /// What `dropFirst` returns.
    public struct Drop<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let count: Int

        @inlinable
        public init(upstream: Upstream, count: Int) {
            self.upstream = upstream
            self.count = count
        }

        @inlinable
        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            precondition(count >= 0, "dropFirst cannot drop a negative number of values: \(count) was asked for.")
            let inner = Inner(downstream: AnySubscriber(subscriber), count: count)
            subscriber.receive(subscription: inner)
            upstream.subscribe(inner)
        }

        // What is left out is asked for at once, together with what downstream has asked for by then.
        @usableFromInline
        final class Inner<Downstream: Subscriber>: Subscriber, Subscription, StageDescription
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline let lock = Lock()
            @usableFromInline let downstream: Downstream
            @usableFromInline var upstream: (any Subscription)?
            @usableFromInline var early = Subscribers.Demand.none
            @usableFromInline let left: Atomic<Int>
            @usableFromInline var isCancelled = false

            @inlinable
            init(downstream: Downstream, count: Int) {
                self.downstream = downstream
                left = Atomic(count)
            }

            @inlinable
            func receive(subscription: any Subscription) {
                lock.lock()
                guard upstream == nil, !isCancelled else {
                    lock.unlock()
                    subscription.cancel()
                    return
                }
                upstream = subscription
                let demand = early + .max(left.load(ordering: .relaxed))
                early = .none
                lock.unlock()
                if demand > .none {
                    subscription.request(demand)
                }
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                if left.load(ordering: .relaxed) > 0, left.wrappingSubtract(1, ordering: .relaxed).oldValue > 0 {
                    return .none
                }
                return downstream.receive(input)
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                // It may go on with another subscription, as Apple's does.
                _ = lock { upstream.take() }
                downstream.receive(completion: completion)
            }

            @inlinable
            func request(_ demand: Subscribers.Demand) {
                demand.requireSome()
                let upstream = lock {
                    if self.upstream == nil { early += demand }
                    return self.upstream
                }
                upstream?.request(demand)
            }

            @inlinable
            func cancel() {
                let released = lock {
                    // Without a subscription it goes on, and cancels nothing.
                    isCancelled = isCancelled || upstream != nil
                    return upstream.take()
                }
                released?.cancel()
            }

            @usableFromInline
            var description: String { "Drop" }
        }
    }
}

extension Publishers.Drop: Equatable where Upstream: Equatable {}
