extension Publishers {
    /// Sends a value only when no other came for a while.
    public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// How long no other value may come.
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

        public func receive<S>(subscriber: S)
        where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            upstream.subscribe(Inner(self, subscriber))
        }
    }
}

extension Publishers.Debounce {
    private final class Inner<Downstream: Subscriber>: ScheduledStage<Downstream>, Subscriber, StageDescription
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
        typealias Input = Upstream.Output

        private let dueTime: Context.SchedulerTimeType.Stride
        private let scheduler: Context
        private let options: Context.SchedulerOptions?
        private var currentValue: Input?
        /// Tells the latest value from those that it has overtaken.
        private var generation: UInt64 = 0
        private var timer: (any Cancellable)?
        private var demand = Subscribers.Demand.none

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

        func receive(_ input: Input) -> Subscribers.Demand {
            lock.lock()
            guard isConnectedLocked else {
                lock.unlock()
                return .none
            }
            generation += 1
            let generation = self.generation
            let overtaken = (currentValue, timer)
            currentValue = input
            timer = nil
            lock.unlock()

            let due = scheduler.now.advanced(by: dueTime)
            overtaken.1?.cancel()
            let timer = scheduler.schedule(
                after: due, interval: dueTime, tolerance: scheduler.minimumTolerance,
                options: options
            ) { self.isDue(generation) }
            keep(timer, for: generation)
            return .none
        }

        /// Keeps the timer until its value is due, which may have been before it could be kept.
        private func keep(_ timer: any Cancellable, for generation: UInt64) {
            lock.lock()
            let isWanted = self.generation == generation && currentValue != nil
            if isWanted { self.timer = timer }
            lock.unlock()
            if !isWanted { timer.cancel() }
        }

        private func isDue(_ generation: UInt64) {
            lock.lock()
            guard isConnectedLocked, self.generation == generation, let value = currentValue else {
                lock.unlock()
                return
            }
            currentValue = nil
            let timer = self.timer
            self.timer = nil
            let isWanted = demand > .none
            if isWanted { demand -= 1 }
            lock.unlock()
            timer?.cancel()
            if isWanted { tell(.value(value)) }
        }

        // A value that is not due yet is given up: its time would come after the end.
        func receive(completion: Subscribers.Completion<Failure>) {
            lock.lock()
            guard let released = finishUpstreamLocked() else {
                lock.unlock()
                return
            }
            let action = releaseLocked()
            lock.unlock()
            _ = released
            action?()
            // Apple's gives no options for this.
            scheduler.schedule { self.tell(.completion(completion)) }
        }

        override func request(_ demand: Subscribers.Demand) {
            add(demand)
        }

        override func add(_ demand: Subscribers.Demand) {
            lock { self.demand += demand }
        }

        override func releaseLocked() -> (() -> Void)? {
            let released = (currentValue, timer)
            currentValue = nil
            timer = nil
            return { released.1?.cancel() }
        }

        var description: String { "Debounce" }

        var mirrorChildren: [Mirror.Child] {
            let (demand, value) = lock { (self.demand, currentValue) }
            return [("downstream", downstreamToShow), ("downstreamDemand", demand), ("currentValue", value as Any)]
        }
    }
}

extension Publisher {
    /// Sends a value only when no other came for a while: what is typed, say, when the typing pauses.
    ///
    /// A value that waits when the publisher ends is not sent any more.
    public func debounce<S>(
        for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
    ) -> Publishers.Debounce<Self, S> where S: Scheduler {
        Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
    }
}
