extension Publishers {
    /// Subscribes, requests and cancels on a scheduler.
    public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// The scheduler that the upstream is called on.
        public let scheduler: Context

        /// How the scheduler is to run the calls.
        public let options: Context.SchedulerOptions?

        public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            self.upstream = upstream
            self.scheduler = scheduler
            self.options = options
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            let inner = Inner(self, subscriber)
            scheduler.schedule(options: options) { upstream.subscribe(inner) }
        }
    }
}

extension Publishers.SubscribeOn {
    private final class Inner<Downstream: Subscriber>: Subscriber, Subscription, StageDescription
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
        private let scheduler: Context
        private let options: Context.SchedulerOptions?
        private let downstream: Downstream
        private let state = Locked(Connection.awaiting)

        init(_ parent: Publishers.SubscribeOn<Upstream, Context>, _ downstream: Downstream) {
            scheduler = parent.scheduler
            options = parent.options
            self.downstream = downstream
        }

        func receive(subscription: any Subscription) {
            state.withLock { $0.receive(subscription) }.perform(with: subscription) {
                downstream.receive(subscription: self)
            }
        }

        func receive(_ input: Upstream.Output) -> Subscribers.Demand {
            state.withLock { $0.isConnected } ? downstream.receive(input) : .none
        }

        func receive(completion: Subscribers.Completion<Upstream.Failure>) {
            guard state.withLock({ $0.finish() }) != nil else { return }
            downstream.receive(completion: completion)
        }

        // What is scheduled keeps the stage, and is done even where it was cancelled meanwhile.

        func request(_ demand: Subscribers.Demand) {
            guard let subscription = state.withLock({ $0.subscription }) else { return }
            scheduler.schedule(options: options) { withExtendedLifetime(self) { subscription.request(demand) } }
        }

        func cancel() {
            guard let subscription = state.withLock({ $0.finish() }) else { return }
            scheduler.schedule(options: options) { withExtendedLifetime(self) { subscription.cancel() } }
        }

        var description: String { "SubscribeOn" }
    }
}

extension Publisher {
    /// Subscribes, requests and cancels on a scheduler, where that is too much work for the thread that wants values.
    public func subscribe<S>(on scheduler: S, options: S.SchedulerOptions? = nil) -> Publishers.SubscribeOn<Self, S>
    where S: Scheduler {
        Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
    }
}
