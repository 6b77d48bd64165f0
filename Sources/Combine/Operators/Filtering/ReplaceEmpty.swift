extension Publisher {
    /// Sends this value where the publisher ends without any.
    public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
        .init(upstream: self, output: output)
    }
}

extension Publishers {
    /// What `replaceEmpty` returns.
    public struct ReplaceEmpty<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let output: Upstream.Output
        public let upstream: Upstream

        public init(upstream: Upstream, output: Output) {
            self.upstream = upstream
            self.output = output
        }

        public func receive<S>(subscriber: S)
        where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            upstream.subscribe(Inner(downstream: subscriber, output: output))
        }

        private final class Inner<Downstream: Subscriber>: OneUpstream, Subscriber, Subscription,
            CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            private let downstream: Downstream
            private let output: Upstream.Output
            // Values come one after the other, so that this needs no lock.
            private var isEmpty = true
            private var isRequested = false
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
                isEmpty = false
                return downstream.receive(input)
            }

            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                guard end() else { return }
                guard isEmpty, case .finished = completion else {
                    downstream.receive(completion: completion)
                    return
                }
                lock.lock()
                isWaiting = !isRequested
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
                isRequested = true
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

            var description: String { "ReplaceEmpty" }

            var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

            var playgroundDescription: Any { description }
        }
    }
}

extension Publishers.ReplaceEmpty: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}
