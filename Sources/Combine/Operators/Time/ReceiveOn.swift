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

        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            upstream.subscribe(Inner(self, subscriber))
        }
    }
}

extension Publishers.ReceiveOn {
    private final class Inner<Downstream: Subscriber>: ScheduledStage<Downstream>, Subscriber, StageDescription
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
        private let scheduler: Context
        private let options: Context.SchedulerOptions?

        init(_ parent: Publishers.ReceiveOn<Upstream, Context>, _ downstream: Downstream) {
            scheduler = parent.scheduler
            options = parent.options
            super.init(downstream, canBeCancelledWhileFinishing: false)
        }

        func receive(subscription: any Subscription) {
            _ = connect(subscription)
        }

        func receive(_ input: Upstream.Output) -> Subscribers.Demand {
            guard isConnected else { return .none }
            tellLater(.value(input))
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            guard finishUpstream() != nil else { return }
            tellLater(.completion(completion))
        }

        /// A concurrent queue may run the actions in any order. Each of them delivers what is next, not what is its own.
        private func tellLater(_ event: Event) {
            guard append(event) else { return }
            scheduler.schedule(options: options, tellNext)
        }

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
