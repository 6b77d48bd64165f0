extension Publishers {
    /// Sends everything on, later.
    public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// How much later values and completion are sent.
        public let interval: Context.SchedulerTimeType.Stride

        /// How inexact that may be.
        public let tolerance: Context.SchedulerTimeType.Stride

        /// The scheduler that they are sent on.
        public let scheduler: Context

        /// How the scheduler is to run the deliveries.
        public let options: Context.SchedulerOptions?

        public init(
            upstream: Upstream, interval: Context.SchedulerTimeType.Stride,
            tolerance: Context.SchedulerTimeType.Stride, scheduler: Context, options: Context.SchedulerOptions? = nil
        ) {
            self.upstream = upstream
            self.interval = interval
            self.tolerance = tolerance
            self.scheduler = scheduler
            self.options = options
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            upstream.subscribe(Inner(self, subscriber))
        }
    }
}

extension Publishers.Delay {
    // As Apple's, it does not describe itself.
    private final class Inner<Downstream: Subscriber>: ScheduledStage<Downstream>, Subscriber
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
        private let interval: Context.SchedulerTimeType.Stride
        private let tolerance: Context.SchedulerTimeType.Stride
        private let scheduler: Context
        private let options: Context.SchedulerOptions?

        init(_ parent: Publishers.Delay<Upstream, Context>, _ downstream: Downstream) {
            interval = parent.interval
            tolerance = parent.tolerance
            scheduler = parent.scheduler
            options = parent.options
            super.init(downstream, canBeCancelledWhileFinishing: false)
        }

        func receive(subscription: any Subscription) {
            _ = connect(subscription)
        }

        func receive(_ input: Upstream.Output) -> Subscribers.Demand {
            guard isConnected else { return .none }
            later { self.tell(.value(input)) }
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            guard finishUpstream() != nil else { return }
            later { self.tell(.completion(completion)) }
        }

        private func later(_ action: @escaping () -> Void) {
            scheduler.schedule(
                after: scheduler.now.advanced(by: interval), tolerance: tolerance,
                options: options, action)
        }
    }
}

extension Publisher {
    /// Sends every value and the completion on a while after they came.
    public func delay<S>(
        for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
        options: S.SchedulerOptions? = nil
    ) -> Publishers.Delay<Self, S> where S: Scheduler {
        Publishers.Delay(
            upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance,
            scheduler: scheduler, options: options)
    }
}
