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

        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            upstream.subscribe(Inner(self, subscriber))
        }
    }
}

extension Publishers.Timeout {
    private final class Inner<Downstream: Subscriber>: ScheduledStage<Downstream>, Subscriber, StageDescription
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
        private let interval: Context.SchedulerTimeType.Stride
        private let scheduler: Context
        private let options: Context.SchedulerOptions?
        private let customError: (() -> Upstream.Failure)?
        private let timer = Locked(TimerStateMachine())
        private let wasRequested = Locked(false)

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
            let isFirst = !wasRequested.withLock { exchange(&$0, with: true) }
            if isFirst, isConnected { startTimer() }
            super.request(demand)
        }

        func receive(_ input: Upstream.Output) -> Subscribers.Demand {
            guard isConnected else { return .none }
            startTimer()
            scheduler.schedule(options: options) { self.tell(.value(input)) }
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            guard finishUpstream() != nil else { return }
            release()
            scheduler.schedule(options: options) { self.tell(.completion(completion)) }
        }

        /// Starts the time anew.
        private func startTimer() {
            guard let (number, replaced) = timer.withLock({ $0.begin() }) else { return }
            replaced?.cancel()
            let started = scheduler.schedule(
                after: scheduler.now.advanced(by: interval), interval: interval,
                tolerance: scheduler.minimumTolerance, options: options
            ) { self.timeIsUp(number) }
            if !timer.withLock({ $0.keep(started, number: number) }) { started.cancel() }
        }

        private func timeIsUp(_ number: UInt64) {
            let (isLatest, timer) = self.timer.withLock { $0.goOff(number) }
            timer?.cancel()
            guard isLatest, let subscription = finishUpstream() else { return }
            release()
            subscription.cancel()
            tell(.completion(customError.map { .failure($0()) } ?? .finished))
        }

        override func release() {
            timer.withLock { $0.end() }?.cancel()
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
