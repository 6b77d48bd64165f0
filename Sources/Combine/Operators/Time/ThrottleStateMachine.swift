/// What a `throttle` holds until the interval since its last emission is over.
struct ThrottleStateMachine<Input, Failure: Error, Time> {
    enum State {
        case awaiting
        /// An emission is scheduled.
        case connected
        /// The upstream has ended, which the scheduled emission tells.
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

    /// Returns what is sent; nil after the end.
    mutating func emit() -> (value: Input?, completion: Subscribers.Completion<Failure>?)? {
        switch state {
        case .awaiting, .connected:
            state = .awaiting
            return (value.take(), nil)
        case .finishing(let completion):
            state = .ended
            return (value.take(), completion)
        case .ended:
            return nil
        }
    }

    mutating func note(emission time: Time) {
        lastEmission = time
    }

    /// Returns what is let go of.
    mutating func end() -> (value: Input?, state: State) {
        (value.take(), exchange(&state, with: .ended))
    }
}
