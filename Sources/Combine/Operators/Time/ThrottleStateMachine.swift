/// What a `throttle` holds until the interval since its last emission is over.
struct ThrottleStateMachine<Input, Failure: Error, Time> {
    enum State {
        case awaiting
        /// An emission is scheduled, or under way.
        case connected
        /// The upstream has ended. The scheduled emission sends the completion.
        case finishing(Subscribers.Completion<Failure>)
        case ended
    }

    /// Whether the latest of an interval's values is sent, and not the first.
    private let latest: Bool
    private var state = State.awaiting
    private var value: Input?
    private var demand = Subscribers.Demand.none
    private(set) var lastEmission: Time?

    init(latest: Bool) {
        self.latest = latest
    }

    mutating func add(_ more: Subscribers.Demand) {
        demand += more
    }

    /// Returns whether an emission is to be scheduled, and the value that is let go of.
    mutating func receive(_ input: Input) -> (mustSchedule: Bool, overtaken: Input?) {
        switch state {
        case .awaiting where demand > .none:
            demand -= 1
            value = input
            state = .connected
            return (true, nil)
        case .connected where value == nil && demand > .none:
            demand -= 1
            value = input
            return (false, nil)
        case .connected where latest && value != nil:
            return (false, exchange(&value, with: input))
        case .awaiting, .connected, .finishing, .ended:
            return (false, input)
        }
    }

    /// Returns whether an emission is to be scheduled.
    mutating func finish(_ completion: Subscribers.Completion<Failure>) -> Bool {
        switch state {
        case .awaiting:
            state = .finishing(completion)
            return true
        case .connected:
            state = .finishing(completion)
            return false
        case .finishing, .ended:
            return false
        }
    }

    /// Returns what is sent. Without the completion, the emission is under way until `didEmit`.
    mutating func emit() -> (value: Input?, completion: Subscribers.Completion<Failure>?)? {
        switch state {
        case .connected:
            return (value.take(), nil)
        case .finishing(let completion):
            state = .ended
            return (value.take(), completion)
        case .awaiting, .ended:
            return nil
        }
    }

    /// Returns whether another emission is to be scheduled, for what has come while this one was under way.
    mutating func didEmit(at time: Time) -> Bool {
        lastEmission = time
        switch state {
        case .connected where value == nil:
            state = .awaiting
            return false
        case .connected, .finishing:
            return true
        case .awaiting, .ended:
            return false
        }
    }

    /// Returns what is let go of.
    mutating func end() -> (value: Input?, state: State) {
        (value.take(), exchange(&state, with: .ended))
    }
}
