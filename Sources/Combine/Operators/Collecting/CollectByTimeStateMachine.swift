/// What a `collect(.byTime)` has collected and not sent.
struct CollectByTimeStateMachine<Input, Failure: Error> {
    enum State {
        case awaiting
        /// The timer of the intervals runs.
        case connected(any Cancellable)
        /// The upstream has ended. The completion is sent once nothing is left.
        case finishing(Subscribers.Completion<Failure>)
        case ended
    }

    enum OverdueAction {
        case wait
        case send
        case complete(Subscribers.Completion<Failure>)
    }

    /// How many values make an array, if not only the time makes one.
    let count: Int?
    private var state = State.awaiting
    private(set) var buffer: [Input] = []
    private(set) var demand = Subscribers.Demand.none

    init(count: Int?) {
        self.count = count
    }

    private var isFull: Bool { count.map { buffer.count >= $0 } ?? false }

    /// Keeps the timer. Returns false where it is to be cancelled.
    mutating func start(_ timer: any Cancellable) -> Bool {
        guard case .awaiting = state else { return false }
        state = .connected(timer)
        return true
    }

    /// Returns whether there are so many values that an array is sent.
    mutating func receive(_ input: Input) -> Bool {
        if case .ended = state { return false }
        buffer.append(input)
        return isFull
    }

    /// Returns the timer to cancel, and what a failure lets go of.
    mutating func finish(_ completion: Subscribers.Completion<Failure>) -> (timer: (any Cancellable)?, dropped: [Input])
    {
        let timer = self.timer
        switch state {
        case .awaiting, .connected: state = .finishing(completion)
        case .finishing, .ended: return (nil, [])
        }
        guard case .failure = completion else { return (timer, []) }
        return (timer, exchange(&buffer, with: []))
    }

    /// Returns an array that is sent, if there are values and it was asked for.
    mutating func collected() -> [Input]? {
        guard !buffer.isEmpty, demand > .none else { return nil }
        demand -= 1
        let size = count.map { Swift.min($0, buffer.count) } ?? buffer.count
        let collected = Array(buffer.prefix(size))
        buffer.removeFirst(size)
        return collected
    }

    /// Returns what could not be done in time because there was no demand.
    mutating func overdue() -> OverdueAction {
        if case .finishing(let completion) = state {
            guard buffer.isEmpty else { return demand > .none ? .send : .wait }
            state = .ended
            return .complete(completion)
        }
        return demand > .none && !buffer.isEmpty && isFull ? .send : .wait
    }

    /// Counts what downstream asks for. Returns what the upstream is to be asked for.
    mutating func add(_ more: Subscribers.Demand) -> Subscribers.Demand {
        demand += more
        return count.map { more * $0 } ?? .unlimited
    }

    /// Returns the timer to cancel, and what is let go of.
    mutating func end() -> (timer: (any Cancellable)?, dropped: [Input], state: State) {
        (timer, exchange(&buffer, with: []), exchange(&state, with: .ended))
    }

    private var timer: (any Cancellable)? {
        if case .connected(let timer) = state { timer } else { nil }
    }
}
