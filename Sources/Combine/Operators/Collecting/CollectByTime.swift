extension Publishers {
    /// When collected values are sent.
    public enum TimeGroupingStrategy<Context: Scheduler> {
        /// At the end of each interval.
        case byTime(Context, Context.SchedulerTimeType.Stride)

        /// At the end of each interval, and whenever there are so many.
        case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)
    }

    /// Sends arrays of the values of each interval.
    public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: Publisher {
        public typealias Output = [Upstream.Output]
        public typealias Failure = Upstream.Failure

        /// Where the values come from.
        public let upstream: Upstream

        /// When an array is sent.
        public let strategy: Publishers.TimeGroupingStrategy<Context>

        /// How the scheduler is to run the deliveries.
        public let options: Context.SchedulerOptions?

        public init(
            upstream: Upstream, strategy: Publishers.TimeGroupingStrategy<Context>,
            options: Context.SchedulerOptions?
        ) {
            self.upstream = upstream
            self.strategy = strategy
            self.options = options
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            upstream.subscribe(Inner(self, subscriber))
        }
    }
}

extension Publishers.TimeGroupingStrategy {
    fileprivate var scheduler: Context {
        switch self {
        case .byTime(let scheduler, _), .byTimeOrCount(let scheduler, _, _): return scheduler
        }
    }

    fileprivate var interval: Context.SchedulerTimeType.Stride {
        switch self {
        case .byTime(_, let interval), .byTimeOrCount(_, let interval, _): return interval
        }
    }

    fileprivate var count: Int? {
        switch self {
        case .byTime: return nil
        case .byTimeOrCount(_, _, let count): return count
        }
    }
}

extension Publishers.CollectByTime {
    private final class Inner<Downstream: Subscriber>: ScheduledStage<Downstream>, Subscriber, StageDescription
    where Downstream.Input == [Upstream.Output], Downstream.Failure == Upstream.Failure {
        private let scheduler: Context
        private let interval: Context.SchedulerTimeType.Stride
        private let options: Context.SchedulerOptions?
        private let state: Locked<CollectByTimeStateMachine<Upstream.Output, Failure>>

        init(_ parent: Publishers.CollectByTime<Upstream, Context>, _ downstream: Downstream) {
            scheduler = parent.strategy.scheduler
            interval = parent.strategy.interval
            options = parent.options
            state = Locked(CollectByTimeStateMachine(count: parent.strategy.count))
            super.init(downstream)
        }

        func receive(subscription: any Subscription) {
            guard connect(subscription), isConnected else { return }
            let timer = scheduler.schedule(
                after: scheduler.now.advanced(by: interval), interval: interval,
                tolerance: scheduler.minimumTolerance, options: options
            ) { [weak self] in self?.sendCollected() }
            if !state.withLock({ $0.start(timer) }) { timer.cancel() }
        }

        func receive(_ input: Upstream.Output) -> Subscribers.Demand {
            if isConnected, state.withLock({ $0.receive(input) }) { sendCollected() }
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            guard finishUpstream() != nil else { return }
            state.withLock { $0.finish(completion) }.timer?.cancel()
            sendCollected()
        }

        /// Sends what has been collected where it was asked for, and the completion when nothing is left.
        private func sendCollected() {
            // With the lock, so that arrays go in the order of their values. What is not sent is let go of outside of it.
            _ = state.withLock { machine in
                let collected = machine.collected()
                return (collected, collected.map { append(.value($0)) })
            }
            tellNext()
            sendOverdue()
        }

        private func sendOverdue() {
            switch state.withLock({ $0.overdue() }) {
            case .wait: break
            case .send: sendCollected()
            case .complete(let completion): tell(.completion(completion))
            }
        }

        override func request(_ demand: Subscribers.Demand) {
            guard demand > .none else { return }
            add(demand)
            sendOverdue()
        }

        override func add(_ demand: Subscribers.Demand) {
            let more = state.withLock { $0.add(demand) }
            subscription?.request(more)
        }

        override func release() {
            state.withLock { $0.end() }.timer?.cancel()
        }

        var description: String { "CollectByTime" }

        var mirrorChildren: [Mirror.Child] {
            let machine = state.withLock { $0 }
            return [
                ("downstream", downstreamToShow), ("upstreamSubscription", subscription as Any),
                ("buffer", machine.buffer), ("demand", machine.demand), ("count", machine.count as Any),
            ]
        }
    }
}

extension Publisher {
    /// Sends arrays of the values of each interval, or of so many values where they come sooner.
    ///
    /// An interval without values sends nothing.
    public func collect<S>(_ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil)
        -> Publishers.CollectByTime<Self, S> where S: Scheduler
    {
        Publishers.CollectByTime(upstream: self, strategy: strategy, options: options)
    }
}
