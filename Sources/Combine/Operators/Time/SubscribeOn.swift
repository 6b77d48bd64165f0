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

        public func receive<S>(subscriber: S)
        where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            let inner = Inner(self, subscriber)
            scheduler.schedule(options: options) { upstream.subscribe(inner) }
        }
    }
}

extension Publishers.SubscribeOn {
    private final class Inner<Downstream: Subscriber>: Subscriber, Subscription, StageDescription
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
        typealias Input = Upstream.Output
        typealias Failure = Upstream.Failure

        private let lock = Lock()
        private let scheduler: Context
        private let options: Context.SchedulerOptions?
        private let downstream: Downstream
        private var connection = Connection.awaiting

        init(_ parent: Publishers.SubscribeOn<Upstream, Context>, _ downstream: Downstream) {
            scheduler = parent.scheduler
            options = parent.options
            self.downstream = downstream
        }

        func receive(subscription: any Subscription) {
            lock.lock()
            guard connection.isAwaiting else {
                lock.unlock()
                subscription.cancel()
                return
            }
            connection = .connected(subscription)
            lock.unlock()
            downstream.receive(subscription: self)
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            guard lock({ connection.isConnected }) else { return .none }
            return downstream.receive(input)
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            guard end() != nil else { return }
            downstream.receive(completion: completion)
        }

        // What is scheduled keeps the stage, and is done even where it was cancelled meanwhile.

        func request(_ demand: Subscribers.Demand) {
            guard let subscription = lock({ connection.subscription }) else { return }
            scheduler.schedule(options: options) { withExtendedLifetime(self) { subscription.request(demand) } }
        }

        func cancel() {
            guard let subscription = end() else { return }
            scheduler.schedule(options: options) { withExtendedLifetime(self) { subscription.cancel() } }
        }

        /// Ends the stage where it has begun, and returns its subscription.
        private func end() -> (any Subscription)? {
            lock.lock()
            defer { lock.unlock() }
            guard case .connected(let subscription) = connection else { return nil }
            connection = .ended
            return subscription
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
