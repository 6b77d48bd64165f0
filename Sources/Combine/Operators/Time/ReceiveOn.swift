extension Publishers {
    /// Sends everything on from a scheduler.
    public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// The scheduler that they are sent on.
        public let scheduler: Context

        /// How the scheduler is to run the deliveries.
        public let options: Context.SchedulerOptions?

        public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
            self.upstream = upstream
            self.scheduler = scheduler
            self.options = options
        }

        public func receive<S>(subscriber: S)
        where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            upstream.subscribe(Inner(self, subscriber))
        }
    }
}

extension Publishers.ReceiveOn {
    private final class Inner<Downstream: Subscriber>: ScheduledStage<Downstream>, Subscriber, StageDescription
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
        typealias Input = Upstream.Output

        private let scheduler: Context
        private let options: Context.SchedulerOptions?
        // A concurrent queue may run the actions in any order. Each of them delivers what is next, not what is its own.
        private var arrived = Queue<Event>()

        init(_ parent: Publishers.ReceiveOn<Upstream, Context>, _ downstream: Downstream) {
            scheduler = parent.scheduler
            options = parent.options
            super.init(downstream)
        }

        func receive(subscription: any Subscription) {
            _ = connect(subscription)
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            lock.lock()
            guard isConnectedLocked else {
                lock.unlock()
                return .none
            }
            arrived.append(.value(input))
            lock.unlock()
            scheduler.schedule(options: options, deliver)
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            lock.lock()
            let released = finishUpstreamLocked()
            guard released != nil else {
                lock.unlock()
                return
            }
            arrived.append(.completion(completion))
            lock.unlock()
            scheduler.schedule(options: options, deliver)
        }

        private func deliver() {
            tell { arrived.popFirst() }
        }

        override func releaseLocked() -> (() -> Void)? {
            let released = arrived
            arrived = Queue()
            return { _ = released }
        }

        override var canBeCancelledWhileFinishing: Bool { false }

        var description: String { "ReceiveOn" }
    }
}

extension Publisher {
    /// Sends every value and the completion on from a scheduler: the main queue, say, for what changes a view.
    public func receive<S>(on scheduler: S, options: S.SchedulerOptions? = nil) -> Publishers.ReceiveOn<Self, S>
    where S: Scheduler {
        Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
    }
}
