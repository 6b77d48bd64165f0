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

        public func receive<S>(subscriber: S)
        where S: Subscriber, Upstream.Failure == S.Failure, S.Input == [Upstream.Output] {
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
        typealias Input = Upstream.Output

        private let scheduler: Context
        private let interval: Context.SchedulerTimeType.Stride
        private let count: Int?
        private let options: Context.SchedulerOptions?
        private var buffer: [Input] = []
        private var demand = Subscribers.Demand.none
        private var timer: (any Cancellable)?
        private var pendingCompletion: Subscribers.Completion<Failure>?

        init(_ parent: Publishers.CollectByTime<Upstream, Context>, _ downstream: Downstream) {
            scheduler = parent.strategy.scheduler
            interval = parent.strategy.interval
            count = parent.strategy.count
            options = parent.options
            super.init(downstream)
        }

        func receive(subscription: any Subscription) {
            guard connect(subscription), isConnected else { return }
            let started = scheduler.schedule(
                after: scheduler.now.advanced(by: interval), interval: interval,
                tolerance: scheduler.minimumTolerance, options: options
            ) { [weak self] in self?.sendCollected() }
            lock.lock()
            let isWanted = isConnectedLocked
            if isWanted { timer = started }
            lock.unlock()
            if !isWanted { started.cancel() }
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            lock.lock()
            guard isConnectedLocked else {
                lock.unlock()
                return .none
            }
            buffer.append(input)
            let isFull = count.map { buffer.count >= $0 } ?? false
            lock.unlock()
            if isFull { sendCollected() }
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            lock.lock()
            guard let released = finishUpstreamLocked() else {
                lock.unlock()
                return
            }
            let timer = self.timer
            self.timer = nil
            var dropped: [Input] = []
            if case .failure = completion {
                dropped = buffer
                buffer = []
            }
            pendingCompletion = completion
            lock.unlock()
            _ = (released, dropped)
            timer?.cancel()
            sendCollected()
        }

        /// Sends what has been collected where it was asked for, and the completion when nothing is left.
        private func sendCollected() {
            tell {
                guard !buffer.isEmpty, demand > .none else { return nil }
                demand -= 1
                let size = count.map { Swift.min($0, buffer.count) } ?? buffer.count
                let collected = Array(buffer.prefix(size))
                buffer.removeFirst(size)
                return .value(collected)
            }
            sendOverdue()
        }

        /// Sends what could not be sent in time because there was no demand.
        private func sendOverdue() {
            lock.lock()
            let completion = buffer.isEmpty ? pendingCompletion : nil
            if completion != nil { pendingCompletion = nil }
            let isFull = count.map { buffer.count >= $0 } ?? false
            let isOverdue = demand > .none && !buffer.isEmpty && (isFull || pendingCompletion != nil)
            lock.unlock()
            if let completion {
                tell(.completion(completion))
            } else if isOverdue {
                sendCollected()
            }
        }

        override func request(_ demand: Subscribers.Demand) {
            guard demand > .none else { return }
            add(demand)
            sendOverdue()
        }

        override func add(_ demand: Subscribers.Demand) {
            lock.lock()
            self.demand += demand
            let subscription = subscriptionLocked
            lock.unlock()
            subscription?.request(count.map { demand * $0 } ?? .unlimited)
        }

        override func releaseLocked() -> (() -> Void)? {
            let released = (buffer, timer)
            buffer = []
            timer = nil
            pendingCompletion = nil
            return { released.1?.cancel() }
        }

        var description: String { "CollectByTime" }

        var mirrorChildren: [Mirror.Child] {
            let (buffer, demand) = lock { (self.buffer, self.demand) }
            return [
                ("downstream", downstreamToShow), ("upstreamSubscription", subscription as Any), ("buffer", buffer),
                ("demand", demand), ("count", count as Any),
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
