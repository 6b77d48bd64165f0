extension Publishers {
    /// Sends at most one value in each interval.
    public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// How long it is from one value to the next at least.
        public let interval: Context.SchedulerTimeType.Stride

        /// The scheduler that values are sent on.
        public let scheduler: Context

        /// Whether the latest of an interval's values is sent, and not the first.
        public let latest: Bool

        public init(
            upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool
        ) {
            self.upstream = upstream
            self.interval = interval
            self.scheduler = scheduler
            self.latest = latest
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            upstream.subscribe(Inner(self, subscriber))
        }
    }
}

extension Publishers.Throttle {
    private final class Inner<Downstream: Subscriber>: ScheduledStage<Downstream>, Subscriber, StageDescription
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
        private let interval: Context.SchedulerTimeType.Stride
        private let scheduler: Context
        private let state: Locked<ThrottleStateMachine<Upstream.Output, Failure, Context.SchedulerTimeType>>

        init(_ parent: Publishers.Throttle<Upstream, Context>, _ downstream: Downstream) {
            interval = parent.interval
            scheduler = parent.scheduler
            state = Locked(ThrottleStateMachine(latest: parent.latest))
            super.init(downstream, endsForGood: true)
            // Apple's looks at the time here, at the subscription and for each value, which a scheduler may count.
            _ = scheduler.now
        }

        func receive(subscription: any Subscription) {
            guard connect(subscription) else { return }
            _ = scheduler.now
            self.subscription?.request(.unlimited)
        }

        func receive(_ input: Upstream.Output) -> Subscribers.Demand {
            guard isConnected else { return .none }
            let now = scheduler.now
            if state.withLock({ $0.receive(input) }).mustSchedule { scheduleEmission(now) }
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            guard isConnected else { return }
            let now = scheduler.now
            guard finishUpstream() != nil else { return }
            if state.withLock({ $0.finish(completion) }) { scheduleEmission(now) }
        }

        /// Emits as soon as the interval since the last emission is over.
        private func scheduleEmission(_ now: Context.SchedulerTimeType) {
            let earliest = state.withLock { $0.lastEmission }?.advanced(by: interval)
            if let earliest, earliest > now {
                scheduler.schedule(after: earliest) { [weak self] in self?.emit() }
            } else {
                scheduler.schedule { [weak self] in self?.emit() }
            }
        }

        private func emit() {
            guard let (value, completion) = state.withLock({ $0.emit() }) else { return }
            if let completion {
                if let value { tell(.value(value)) }
                return tell(.completion(completion))
            }
            let now = scheduler.now
            // The value is in line before the next one, or the end, can be emitted.
            if let value { _ = append(.value(value)) }
            if state.withLock({ $0.didEmit(at: now) }) { scheduleEmission(now) }
            tellNext()
        }

        override func request(_ demand: Subscribers.Demand) {
            add(demand)
        }

        override func add(_ demand: Subscribers.Demand) {
            state.withLock { $0.add(demand) }
        }

        override func release() {
            _ = state.withLock { $0.end() }
        }

        var description: String { "Throttle" }
    }
}

extension Publisher {
    /// Sends at most one value in each interval: the latest of them, or the first.
    public func throttle<S>(for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool)
        -> Publishers.Throttle<Self, S> where S: Scheduler
    {
        Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
    }
}
