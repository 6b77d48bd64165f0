import Foundation

extension Timer {
    /// A timer that publishes the date whenever it fires, once it has been connected.
    public static func publish(
        every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
        options: RunLoop.SchedulerOptions? = nil
    ) -> TimerPublisher {
        // Apple's forgets the tolerance here; the publisher's own initializer keeps it.
        TimerPublisher(interval: interval, runLoop: runLoop, mode: mode, options: options)
    }

    /// All subscribers share one timer. It runs from `connect()` until what that returns is cancelled or gone.
    public final class TimerPublisher: ConnectablePublisher {
        public typealias Output = Date
        public typealias Failure = Never

        /// How long it is from one date to the next, in seconds.
        public final let interval: TimeInterval

        /// How late a date may be.
        public final let tolerance: TimeInterval?

        /// The run loop that the timer fires on.
        public final let runLoop: RunLoop

        /// When the run loop lets it fire.
        public final let mode: RunLoop.Mode

        /// How the run loop is to fire it.
        public final let options: RunLoop.SchedulerOptions?

        private let observations = Observations()

        public init(
            interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode,
            options: RunLoop.SchedulerOptions? = nil
        ) {
            self.interval = interval
            self.tolerance = tolerance
            self.runLoop = runLoop
            self.mode = mode
            self.options = options
        }

        public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, S.Input == Date {
            let observation = SubscriberObservation(observations, subscriber)
            observations.add(observation)
            subscriber.receive(subscription: observation)
        }

        public func connect() -> any Cancellable {
            let timer = Timer(fire: Date(timeIntervalSinceNow: interval), interval: interval, repeats: true) {
                [observations] timer in observations.send(timer.fireDate)
            }
            if let tolerance { timer.tolerance = tolerance }
            runLoop.add(timer, forMode: mode)
            return AnyCancellable(timer.invalidate)
        }
    }
}

/// The subscribers of one timer, in the order in which they came.
private final class Observations {
    private let lock = Lock()
    private var all: [Observation] = []

    func add(_ observation: Observation) {
        lock { all.append(observation) }
    }

    func remove(_ observation: Observation) {
        lock { all.removeAll { $0 === observation } }
    }

    func send(_ date: Date) {
        for observation in lock({ all }) { observation.send(date) }
    }
}

private class Observation {
    func send(_ date: Date) { fatalError("An observation's base leads nowhere.") }
}

// As Apple's, it does not describe itself.
private final class SubscriberObservation<Downstream: Subscriber>: Observation, Subscription
where Downstream.Input == Date, Downstream.Failure == Never {
    private let lock = Lock()
    private weak var observations: Observations?
    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none

    init(_ observations: Observations, _ downstream: Downstream) {
        self.observations = observations
        self.downstream = downstream
    }

    override func send(_ date: Date) {
        let recipient: Downstream? = lock {
            guard demand > .none, let downstream else { return nil }
            demand -= 1
            return downstream
        }
        guard let recipient else { return }
        let added = recipient.receive(date)
        guard added > .none else { return }
        lock { demand += added }
    }

    func request(_ demand: Subscribers.Demand) {
        lock { self.demand += demand }
    }

    func cancel() {
        _ = lock { downstream.take() }
        observations?.remove(self)
    }
}
