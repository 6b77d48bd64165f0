/// What a `debounce` waits with.
struct DebounceStateMachine<Input> {
    private var timer = TimerStateMachine()
    private(set) var currentValue: Input?
    private(set) var demand = Subscribers.Demand.none

    mutating func add(_ more: Subscribers.Demand) {
        demand += more
    }

    /// Returns the number of the timer that is to begin, and what it replaces; nil after the end.
    mutating func receive(_ input: Input) -> (number: UInt64, timer: (any Cancellable)?, value: Input?)? {
        guard let (number, replaced) = timer.begin() else { return nil }
        return (number, replaced, exchange(&currentValue, with: input))
    }

    /// Keeps a timer, or returns false where it is not wanted any more.
    mutating func keep(_ timer: any Cancellable, number: UInt64) -> Bool {
        self.timer.keep(timer, number: number)
    }

    /// A timer goes off. Returns the value that is sent, if it is due and asked for, and the timer to cancel.
    mutating func goOff(_ number: UInt64) -> (sent: Input?, unsent: Input?, timer: (any Cancellable)?) {
        let (isLatest, timer) = self.timer.goOff(number)
        guard isLatest else { return (nil, nil, nil) }
        guard demand > .none else { return (nil, currentValue.take(), timer) }
        demand -= 1
        return (currentValue.take(), nil, timer)
    }

    /// Gives up the value that is not due yet. Returns it, and the timer to cancel.
    mutating func end() -> (value: Input?, timer: (any Cancellable)?) {
        (currentValue.take(), timer.end())
    }
}
