extension Publisher {
    /// Leaves out the first so many values.
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

        public init(upstream: Upstream, count: Int) {
            precondition(count >= 0, "dropFirst cannot drop a negative number of values: \(count) was asked for.")
            self.upstream = upstream
            self.count = count
        }

        public func receive<S>(subscriber: S)
        where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            let inner = Inner(downstream: subscriber, count: count)
            subscriber.receive(subscription: inner)
            upstream.subscribe(inner)
        }

        // What is left out is asked for at once, together with what downstream has asked for by then.
        private final class Inner<Downstream: Subscriber>: Subscriber, Subscription, CustomStringConvertible,
            CustomReflectable, CustomPlaygroundDisplayConvertible
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            private let lock = Lock()
            private let downstream: Downstream
            private var upstream: (any Subscription)?
            private var early: Subscribers.Demand
            // Values come one after the other, so that this needs no lock.
            private var left: Int
            private var isOver = false

            init(downstream: Downstream, count: Int) {
                self.downstream = downstream
                left = count
                early = .max(count)
            }

            func receive(subscription: any Subscription) {
                lock.lock()
                guard upstream == nil, !isOver else {
                    lock.unlock()
                    subscription.cancel()
                    return
                }
                upstream = subscription
                let demand = early
                early = .none
                lock.unlock()
                if demand > .none {
                    subscription.request(demand)
                }
            }

            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                guard left == 0 else {
                    left -= 1
                    return .none
                }
                return downstream.receive(input)
            }

            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                end()
                downstream.receive(completion: completion)
            }

            func request(_ demand: Subscribers.Demand) {
                demand.requirePositive()
                lock.lock()
                guard let upstream else {
                    early += demand
                    lock.unlock()
                    return
                }
                lock.unlock()
                upstream.request(demand)
            }

            func cancel() {
                end()?.cancel()
            }

            @discardableResult
            private func end() -> (any Subscription)? {
                lock.lock()
                defer { lock.unlock() }
                let released = upstream
                upstream = nil
                isOver = true
                return released
            }

            var description: String { "Drop" }

            var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

            var playgroundDescription: Any { description }
        }
    }
}

extension Publishers.Drop: Equatable where Upstream: Equatable {}
