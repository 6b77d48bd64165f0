import Synchronization

/// A task that is woken waits for its turn in the queue, so two tasks never end at the same moment.
///
/// A task waits here until a racing thread opens the gate, and goes on on that thread:
///
///     publisher.asyncMap { value in
///         await gate.pass()
///         return value
///     }
///     …
///     try await racers.race { thread in
///         if thread == 0 { gate.open() } else { publisher.send(completion: .finished) }
///     }
public final class RaceGate: Sendable {
    private enum State {
        case closed
        case awaited(CheckedContinuation<Void, Never>)
        case open
    }

    private let state = Mutex(State.closed)

    public init() {}

    /// Waits until the gate is open, cancelled or not.
    public func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if case .open = state { return true }
                state = .awaited(continuation)
                return false
            }
            if isOpen { continuation.resume() }
        }
    }

    /// Opens the gate. The task that waits runs on this thread until it waits again.
    public func open() {
        let state = state.withLock { state in
            defer { state = .open }
            return state
        }
        if case .awaited(let continuation) = state { Racers.goOn { continuation.resume() } }
    }
}
