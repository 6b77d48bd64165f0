/// "Two operations run at the same time" cannot be seen from how long they take; it can be seen when the first ends only after
/// the test has let it, and the second has started by then.
///
/// A gate holds back the tasks that come to it until the test opens it.
///
///     let gate = KataSupport.Gate()
///     let operation = { @Sendable in try await gate.pass(); return 7 }
///     try await gate.untilWaiting(atLeast: 1)
///     gate.open()
public final class Gate: Sendable {
    private struct State {
        var isOpen: Bool
        var waiting = 0
        var arrived = 0
    }

    private let state: Observed<State>

    public init(isOpen: Bool = false) {
        state = Observed(State(isOpen: isOpen))
    }

    public var isOpen: Bool { state.value.isOpen }
    /// How many stand before the gate now.
    public var waiting: Int { state.value.waiting }
    /// How many have ever come to the gate.
    public var arrived: Int { state.value.arrived }

    /// Lets everybody through, now and later.
    public func open() {
        state.update { $0.isOpen = true }
    }

    /// Waits for the gate; throws `CancellationError` as soon as the task is cancelled.
    public func pass() async throws {
        arrive()
        defer { state.update { $0.waiting -= 1 } }
        try await state.untilCancelled(\.isOpen)
    }

    /// Waits for the gate like work that does not look at cancellation.
    public func passEvenIfCancelled() async {
        arrive()
        await state.untilEvenIfCancelled(\.isOpen)
        state.update { $0.waiting -= 1 }
    }

    /// Waits until so many stand before the gate.
    public func untilWaiting(atLeast count: Int) async throws {
        try await state.until(showing: { "\($0.waiting)/\(count)" }) { $0.waiting >= count }
    }

    /// Waits until so many have come to the gate, whether they still stand there or not.
    public func untilArrived(atLeast count: Int) async throws {
        try await state.until(showing: { "\($0.arrived)/\(count)" }) { $0.arrived >= count }
    }

    private func arrive() {
        state.update {
            $0.arrived += 1
            $0.waiting += 1
        }
    }
}
