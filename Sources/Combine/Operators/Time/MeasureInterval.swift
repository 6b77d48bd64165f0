extension Publishers {
    /// Sends how long it was from one value to the next.
    public struct MeasureInterval<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Context.SchedulerTimeType.Stride
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// The scheduler whose time is measured.
        public let scheduler: Context

        public init(upstream: Upstream, scheduler: Context) {
            self.upstream = upstream
            self.scheduler = scheduler
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            upstream.subscribe(Inner(scheduler, subscriber))
        }
    }
}

extension Publishers.MeasureInterval {
    private final class Inner<Downstream: Subscriber>: SingleUpstreamStage, SingleUpstreamSubscription
    where Downstream.Input == Context.SchedulerTimeType.Stride, Downstream.Failure == Upstream.Failure {
        typealias Input = Upstream.Output
        typealias Failure = Upstream.Failure

        private let scheduler: Context
        let downstream: Downstream
        private var previous: Context.SchedulerTimeType?

        init(_ scheduler: Context, _ downstream: Downstream) {
            self.scheduler = scheduler
            self.downstream = downstream
        }

        func receive(subscription: any Subscription) {
            guard connect(subscription) else { return }
            previous = scheduler.now
            downstream.receive(subscription: self)
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            guard isConnected, let previous else { return .none }
            let now = scheduler.now
            self.previous = now
            let demand = downstream.receive(previous.distance(to: now))
            if demand > .none { subscription?.request(demand) }
            return .none
        }

        var description: String { "MeasureInterval" }
    }
}

extension Publisher {
    /// Sends, for each value, how long it came after the one before it, or after the subscription.
    public func measureInterval<S>(using scheduler: S, options: S.SchedulerOptions? = nil)
        -> Publishers.MeasureInterval<Self, S> where S: Scheduler
    {
        Publishers.MeasureInterval(upstream: self, scheduler: scheduler)
    }
}
