import Synchronization

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
        final class Inner<Downstream: Subscriber>: ReplacementStage<Downstream>, Subscriber, Subscription,
            StageDescription
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline let isEmpty = Atomic(true)

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
                isEmpty.store(false, ordering: .relaxed)
                return downstream.receive(input)
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                guard end() else { return }
                guard isEmpty.load(ordering: .relaxed), case .finished = completion else {
                    downstream.receive(completion: completion)
                    return
                }
                replace()
            }

            @inlinable
            func request(_ demand: Subscribers.Demand) {
                demand.requireSome()
                requestOrReplace(demand)
            }

            @usableFromInline
            var description: String { "ReplaceEmpty" }
        }
    }
}

extension Publishers.ReplaceEmpty: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}
