extension Publisher {
    /// Sends this value and ends where the publisher fails.
    public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
        .init(upstream: self, output: output)
    }
}

extension Publishers {
    /// What `replaceError` returns.
    public struct ReplaceError<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Never

        public let output: Upstream.Output
        public let upstream: Upstream

        public init(upstream: Upstream, output: Output) {
            self.upstream = upstream
            self.output = output
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Upstream.Output == S.Input, S.Failure == Never {
            upstream.subscribe(Inner(downstream: subscriber, output: output))
        }

        private final class Inner<Downstream: Subscriber>: OneUpstream, Subscriber, Subscription,
            CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
        where Downstream.Input == Upstream.Output, Downstream.Failure == Never {
            typealias Failure = Upstream.Failure

            private let downstream: Downstream
            private let output: Upstream.Output
            private var demand = Subscribers.Demand.none
            /// The replacement is due, and nobody has asked for it.
            private var isWaiting = false

            init(downstream: Downstream, output: Upstream.Output) {
                self.downstream = downstream
                self.output = output
            }

            func receive(subscription: any Subscription) {
                guard connect(subscription) else { return }
                downstream.receive(subscription: self)
            }

            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                guard isConnected else { return .none }
                lock.lock()
                if demand > .none {
                    demand -= 1
                }
                lock.unlock()
                let more = downstream.receive(input)
                if more > .none {
                    lock { demand += more }
                }
                return more
            }

            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                guard end() else { return }
                guard case .failure = completion else {
                    downstream.receive(completion: .finished)
                    return
                }
                lock.lock()
                isWaiting = demand == .none
                let mustWait = isWaiting
                lock.unlock()
                if !mustWait {
                    sendReplacement()
                }
            }

            private func sendReplacement() {
                _ = downstream.receive(output)
                downstream.receive(completion: .finished)
            }

            func request(_ demand: Subscribers.Demand) {
                demand.requirePositive()
                lock.lock()
                self.demand += demand
                let mustSend = isWaiting
                isWaiting = false
                lock.unlock()
                if mustSend {
                    sendReplacement()
                } else {
                    subscription?.request(demand)
                }
            }

            func cancel() {
                lock { isWaiting = false }
                endAndCancel()
            }

            var description: String { "ReplaceError" }

            var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

            var playgroundDescription: Any { description }
        }
    }
}

extension Publishers.ReplaceError: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}
