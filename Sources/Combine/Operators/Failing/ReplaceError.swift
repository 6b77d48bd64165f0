extension Publisher {
    /// Sends this value and ends where the publisher fails.
    @inlinable
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

        @inlinable
        public init(upstream: Upstream, output: Output) {
            self.upstream = upstream
            self.output = output
        }

        @inlinable
        public func receive<S>(subscriber: S) where S: Subscriber, Upstream.Output == S.Input, S.Failure == Never {
            upstream.subscribe(Inner(downstream: AnySubscriber(subscriber), output: output))
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: ReplacementStage<Downstream>, SingleUpstreamSubscription
        where Downstream.Input == Upstream.Output, Downstream.Failure == Never {
            @usableFromInline
            typealias Failure = Upstream.Failure

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                // A value after the failure must not take the demand of the replacement.
                lock.lock()
                guard isConnected else {
                    lock.unlock()
                    return .none
                }
                if demand == .none {
                    misuse("A publisher must not send more values than it was asked for.")
                }
                demand -= 1
                lock.unlock()
                let more = downstream.receive(input)
                if more > .none {
                    lock { demand += more }
                }
                return more
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                guard end() else { return }
                guard case .failure = completion else {
                    downstream.receive(completion: .finished)
                    return
                }
                replace()
            }

            @inlinable
            func request(_ demand: Subscribers.Demand) {
                guard demand > .none else { return }
                requestOrReplace(demand)
            }

            @usableFromInline
            var description: String { "ReplaceError" }
        }
    }
}

extension Publishers.ReplaceError: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}
