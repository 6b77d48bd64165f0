extension Publishers {
    /// Sends a value only when no further value came for a while.
    public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// How long no further value may come.
        public let dueTime: Context.SchedulerTimeType.Stride

        /// The scheduler that waits, and that values are sent on.
        public let scheduler: Context

        /// How the scheduler is to run the deliveries.
        public let options: Context.SchedulerOptions?

        public init(
            upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
            options: Context.SchedulerOptions?
        ) {
            self.upstream = upstream
            self.dueTime = dueTime
            self.scheduler = scheduler
            self.options = options
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            upstream.subscribe(Inner(self, subscriber))
        }
    }
}

extension Publishers.Debounce {
    private final class Inner<Downstream: Subscriber>: ScheduledStage<Downstream>, Subscriber, StageDescription
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
        private let dueTime: Context.SchedulerTimeType.Stride
        private let scheduler: Context
        private let options: Context.SchedulerOptions?
        private let state = Locked(DebounceStateMachine<Upstream.Output>())

        init(_ parent: Publishers.Debounce<Upstream, Context>, _ downstream: Downstream) {
            dueTime = parent.dueTime
            scheduler = parent.scheduler
            options = parent.options
            super.init(downstream)
        }

        func receive(subscription: any Subscription) {
            guard connect(subscription) else { return }
            self.subscription?.request(.unlimited)
        }

        func receive(_ input: Upstream.Output) -> Subscribers.Demand {
            guard isConnected, let (number, overtaken, _) = state.withLock({ $0.receive(input) }) else { return .none }
            let due = scheduler.now.advanced(by: dueTime)
            overtaken?.cancel()
            let timer = scheduler.schedule(
                after: due, interval: dueTime, tolerance: scheduler.minimumTolerance,
                options: options
            ) { self.goOff(number) }
            if !state.withLock({ $0.keep(timer, number: number) }) { timer.cancel() }
            return .none
        }

        private func goOff(_ number: UInt64) {
            let (value, _, timer) = state.withLock { $0.goOff(number) }
            timer?.cancel()
            if let value { tell(.value(value)) }
        }

        // A value that is not due yet is given up: its time would come after the end.
        func receive(completion: Subscribers.Completion<Failure>) {
            guard finishUpstream() != nil else { return }
            release()
            // Apple's gives no options for this.
            scheduler.schedule { self.tell(.completion(completion)) }
        }

        override func request(_ demand: Subscribers.Demand) {
            add(demand)
        }

        override func add(_ demand: Subscribers.Demand) {
            state.withLock { $0.add(demand) }
        }

        override func release() {
            state.withLock { $0.end() }.timer?.cancel()
        }

        var description: String { "Debounce" }

        var mirrorChildren: [Mirror.Child] {
            let (demand, value) = state.withLock { ($0.demand, $0.currentValue) }
            return [("downstream", downstreamToShow), ("downstreamDemand", demand), ("currentValue", value as Any)]
        }
    }
}

extension Publisher {
    /// Sends a value only when no further value came for a while: for example what is typed, when the typing pauses.
    ///
    /// A value that waits when the publisher ends is not sent any more.
    public func debounce<S>(
        for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.Debounce<Self, S> where S: Scheduler {
        Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
    }
}
