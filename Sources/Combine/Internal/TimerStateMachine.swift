/// The latest of several timers. A number distinguishes it from those that it replaces, as they may go off nevertheless.
struct TimerStateMachine {
    private enum State {
        case awaiting
        /// It has begun. The timer is there once the scheduler has returned it.
        case connected((any Cancellable)?)
        case ended
    }

    private var state = State.awaiting
    private var number: UInt64 = 0

    /// Begins another one. Returns its number, and what is to be cancelled; nil after the end.
    mutating func begin() -> (number: UInt64, replaced: (any Cancellable)?)? {
        if case .ended = state { return nil }
        let replaced = timer
        state = .connected(nil)
        number += 1
        return (number, replaced)
    }

    /// Keeps the timer that the scheduler has returned. It is to be cancelled where this returns false: it has gone off before,
    /// or another has begun.
    mutating func keep(_ timer: any Cancellable, number: UInt64) -> Bool {
        guard number == self.number, case .connected(nil) = state else { return false }
        state = .connected(timer)
        return true
    }

    /// Returns whether the timer that goes off is the latest, with what is to be cancelled.
    mutating func goOff(_ number: UInt64) -> (isLatest: Bool, timer: (any Cancellable)?) {
        guard number == self.number, case .connected(let timer) = state else { return (false, nil) }
        state = .awaiting
        return (true, timer)
    }

    /// Returns what is to be cancelled.
    mutating func end() -> (any Cancellable)? {
        defer { state = .ended }
        return timer
    }

    private var timer: (any Cancellable)? {
        if case .connected(let timer) = state { timer } else { nil }
    }
}
