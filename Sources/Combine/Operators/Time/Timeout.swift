extension Publishers {
    /// Ends where no value came for too long.
    public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// How long it may take from one value to the next.
        public let interval: Context.SchedulerTimeType.Stride

        /// The scheduler that waits, and that values are sent on.
        public let scheduler: Context

        /// How the scheduler is to run the deliveries.
        public let options: Context.SchedulerOptions?

        /// Makes the failure to end with; without it the publisher finishes.
        public let customError: (() -> Upstream.Failure)?

        public init(
            upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
            options: Context.SchedulerOptions?,
            customError: (() -> Publishers.Timeout<Upstream, Context>.Failure)?
        ) {
            self.upstream = upstream
            self.interval = interval
            self.scheduler = scheduler
            self.options = options
            self.customError = customError
        }

        public func receive<S>(subscriber: S)
        where S: Subscriber, Upstream.Failure == S.Failure, Upstream.Output == S.Input {
            upstream.subscribe(Inner(self, subscriber))
        }
    }
}

extension Publishers.Timeout {
    private final class Inner<Downstream: Subscriber>: ScheduledStage<Downstream>, Subscriber, StageDescription
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
        typealias Input = Upstream.Output

        private let interval: Context.SchedulerTimeType.Stride
        private let scheduler: Context
        private let options: Context.SchedulerOptions?
        private let customError: (() -> Upstream.Failure)?
        private var timer: (any Cancellable)?
        /// Counts the timers: one that has been replaced must not end anything.
        private var generation: UInt64 = 0
        private var wasRequested = false

        init(_ parent: Publishers.Timeout<Upstream, Context>, _ downstream: Downstream) {
            interval = parent.interval
            scheduler = parent.scheduler
            options = parent.options
            customError = parent.customError
            super.init(downstream)
        }

        func receive(subscription: any Subscription) {
            guard connect(subscription) else { return }
            startTimer()
        }

        // The time begins to run with the subscription, and anew with the first request.
        override func request(_ demand: Subscribers.Demand) {
            lock.lock()
            let isFirst = isConnectedLocked && !wasRequested
            wasRequested = true
            lock.unlock()
            if isFirst { startTimer() }
            super.request(demand)
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            guard isConnected else { return .none }
            startTimer()
            scheduler.schedule(options: options) { self.tell(.value(input)) }
            return .none
        }

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
            scheduler.schedule(options: options) { self.tell(.completion(completion)) }
        }

        /// Starts the time anew.
        private func startTimer() {
            lock.lock()
            generation += 1
            let generation = self.generation
            let replaced = timer
            timer = nil
            lock.unlock()
            replaced?.cancel()

            let started = scheduler.schedule(
                after: scheduler.now.advanced(by: interval), interval: interval,
                tolerance: scheduler.minimumTolerance, options: options
            ) { self.timeIsUp(generation) }

            lock.lock()
            let isWanted = self.generation == generation && isConnectedLocked
            if isWanted { timer = started }
            lock.unlock()
            if !isWanted { started.cancel() }
        }

        private func timeIsUp(_ generation: UInt64) {
            lock.lock()
            guard self.generation == generation, let subscription = finishUpstreamLocked() else {
                lock.unlock()
                return
            }
            let action = releaseLocked()
            lock.unlock()
            action?()
            subscription.cancel()
            tell(.completion(customError.map { .failure($0()) } ?? .finished))
        }

        override func releaseLocked() -> (() -> Void)? {
            let released = timer
            timer = nil
            return { released?.cancel() }
        }

        var description: String { "Timeout" }
    }
}

extension Publisher {
    /// Ends where no value came for too long: with a failure of your making, or as if the publisher had finished.
    public func timeout<S>(
        _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
        customError: (() -> Self.Failure)? = nil
    ) -> Publishers.Timeout<Self, S> where S: Scheduler {
        Publishers.Timeout(
            upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
    }
}
