extension Publisher {
    /// Sends this value where the publisher ends without any.
    @inlinable
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

        @inlinable
        public init(upstream: Upstream, output: Output) {
            self.upstream = upstream
            self.output = output
        }

        @inlinable
        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            upstream.subscribe(Inner(downstream: AnySubscriber(subscriber), output: output))
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: SingleUpstreamStage, Subscriber, Subscription, StageDescription
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline let downstream: Downstream
            @usableFromInline let output: Upstream.Output
            // Values come one after the other, so that this needs no lock.
            @usableFromInline var isEmpty = true
            @usableFromInline var isRequested = false
            /// The replacement is due, and there is no demand for it yet.
            @usableFromInline var isWaiting = false

            @inlinable
            init(downstream: Downstream, output: Upstream.Output) {
                self.downstream = downstream
                self.output = output
            }

            @inlinable
            func receive(subscription: any Subscription) {
                guard connect(subscription) else { return }
                downstream.receive(subscription: self)
                // Apple's asks for everything, in addition to what downstream asks for.
                self.subscription?.request(.unlimited)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                guard isConnected else { return .none }
                isEmpty = false
                return downstream.receive(input)
            }

            @inlinable
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

            @inlinable
            func sendReplacement() {
                _ = downstream.receive(output)
                downstream.receive(completion: .finished)
            }

            @inlinable
            func request(_ demand: Subscribers.Demand) {
                demand.requireSome()
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

            @inlinable
            func cancel() {
                lock { isWaiting = false }
                endAndCancel()
            }

            @usableFromInline
            var description: String { "ReplaceEmpty" }
        }
    }
}

extension Publishers.ReplaceEmpty: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}
