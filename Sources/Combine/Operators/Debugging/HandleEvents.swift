extension Publisher {
    /// Calls closures when something passes by, and changes nothing.
    @inlinable
    public func handleEvents(
        receiveSubscription: ((any Subscription) -> Void)? = nil, receiveOutput: ((Output) -> Void)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
        receiveRequest: ((Subscribers.Demand) -> Void)? = nil
    ) -> Publishers.HandleEvents<Self> {
        .init(
            upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
            receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
    }
}

extension Publishers {
    /// What `handleEvents` returns.
    public struct HandleEvents<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public var receiveSubscription: ((any Subscription) -> Void)?
        public var receiveOutput: ((Upstream.Output) -> Void)?
        public var receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Void)?
        public var receiveCancel: (() -> Void)?
        public var receiveRequest: ((Subscribers.Demand) -> Void)?

        @inlinable
        public init(
            upstream: Upstream, receiveSubscription: ((any Subscription) -> Void)? = nil,
            receiveOutput: ((Output) -> Void)? = nil,
            receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil, receiveCancel: (() -> Void)? = nil,
            receiveRequest: ((Subscribers.Demand) -> Void)? = nil
        ) {
            self.upstream = upstream
            self.receiveSubscription = receiveSubscription
            self.receiveOutput = receiveOutput
            self.receiveCompletion = receiveCompletion
            self.receiveCancel = receiveCancel
            self.receiveRequest = receiveRequest
        }

        @inlinable
        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            upstream.subscribe(Inner(self, downstream: AnySubscriber(subscriber)))
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: SingleUpstreamStage, Subscriber, Subscription, StageDescription
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline let downstream: Downstream
            /// Let go of at the end, with all that the closures hold.
            @usableFromInline var events: HandleEvents?

            @inlinable
            init(_ events: HandleEvents, downstream: Downstream) {
                self.events = events
                self.downstream = downstream
            }

            @inlinable
            func receive(subscription: any Subscription) {
                lock { events?.receiveSubscription }?(subscription)
                guard connect(subscription) else { return }
                downstream.receive(subscription: self)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                let receiveOutput = lock { events?.receiveOutput }
                receiveOutput?(input)
                let more = downstream.receive(input)
                if more > .none, let receiveRequest = lock({ events?.receiveRequest }) {
                    receiveRequest(more)
                }
                return more
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Upstream.Failure>) {
                lock { events?.receiveCompletion }?(completion)
                _ = release()
                downstream.receive(completion: completion)
            }

            @inlinable
            func request(_ demand: Subscribers.Demand) {
                lock { events?.receiveRequest }?(demand)
                subscription?.request(demand)
            }

            @inlinable
            func cancel() {
                lock { events?.receiveCancel }?()
                // Without a subscription it goes on, and cancels nothing.
                guard !isAwaiting else { return }
                release()?.cancel()
            }

            /// Ends it, also where it has no subscription yet, and lets go of the closures outside of the lock.
            @inlinable
            func release() -> (any Subscription)? {
                let (subscription, _) = lock { (endLocked(true).1, events.take()) }
                return subscription
            }

            @usableFromInline
            var description: String { "HandleEvents" }
        }
    }
}
