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
    private final class Inner<Downstream: Subscriber>: Subscriber, Subscription, CustomStringConvertible,
        CustomReflectable, CustomPlaygroundDisplayConvertible
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
        typealias Input = Upstream.Output
        typealias Failure = Upstream.Failure

        private enum State {
            case awaiting(Downstream)
            case connected(Downstream, any Subscription)
            case ended
        }

        private let lock = Lock()
        private let scheduler: Context
        private let options: Context.SchedulerOptions?
        private var state: State

        init(_ parent: Publishers.SubscribeOn<Upstream, Context>, _ downstream: Downstream) {
            scheduler = parent.scheduler
            options = parent.options
            state = .awaiting(downstream)
        }

        func receive(subscription: any Subscription) {
            lock.lock()
            guard case .awaiting(let downstream) = state else {
                lock.unlock()
                subscription.cancel()
                return
            }
            state = .connected(downstream, subscription)
            lock.unlock()
            downstream.receive(subscription: self)
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            lock.lock()
            guard case .connected(let downstream, _) = state else {
                lock.unlock()
                return .none
            }
            lock.unlock()
            return downstream.receive(input)
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            guard case .connected(let downstream, _) = end() else { return }
            downstream.receive(completion: completion)
        }

        func request(_ demand: Subscribers.Demand) {
            guard demand > .none, isConnected else { return }
            scheduler.schedule(options: options) {
                self.lock.lock()
                let state = self.state
                self.lock.unlock()
                guard case .connected(_, let subscription) = state else { return }
                subscription.request(demand)
            }
        }

        func cancel() {
            guard case .connected(_, let subscription) = end() else { return }
            scheduler.schedule(options: options, subscription.cancel)
        }

        private var isConnected: Bool {
            lock.lock()
            defer { lock.unlock() }
            guard case .connected = state else { return false }
            return true
        }

        /// Ends the stage where it has begun, and returns how it was until then.
        private func end() -> State {
            lock.lock()
            defer { lock.unlock() }
            let before = state
            if case .connected = before { state = .ended }
            return before
        }

        var description: String { "SubscribeOn" }

        var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

        var playgroundDescription: Any { description }
    }
}

extension Publisher {
    /// Subscribes, requests and cancels on a scheduler, where that is too much work for the thread that wants values.
    public func subscribe<S>(on scheduler: S, options: S.SchedulerOptions? = nil) -> Publishers.SubscribeOn<Self, S>
    where S: Scheduler {
        Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
    }
}
