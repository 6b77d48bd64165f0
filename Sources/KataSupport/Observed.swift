/// A test that asks again and again whether something has happened yet is slow, and asks once too few on a busy machine.
///
/// A value that can be waited for: `until` returns as soon as the value satisfies its condition, without looking twice.
///
///     let started = KataSupport.Observed(0)
///     started.update { $0 += 1 }                      // in the operation
///     try await started.until { $0 == 3 }             // in the test: ends at its deadline
public final class Observed<Value: Sendable>: Sendable {
    private struct Waiter {
        var isSatisfied: (Value) -> Bool
        var continuation: CheckedContinuation<Value, any Error>
        var wait: Int?
    }

    private struct State {
        var value: Value
        var lastID = 0
        var waiters: [Int: Waiter] = [:]
        /// Waits that were cancelled before they had begun.
        var cancelled: Set<Int> = []
    }

    private let state: Locked<State>

    public init(_ value: Value) {
        TaskQueue.shared.begin()
        state = Locked(State(value: value))
    }

    public var value: Value { state.withLock { $0.value } }

    /// Changes the value and wakes those that waited for it, in the order in which they began to wait.
    @discardableResult
    public func update<Result>(_ change: (inout Value) -> Result) -> Result {
        let (result, value, woken) = state.withLock { state in
            let result = change(&state.value)
            let ids = state.waiters.filter { $0.value.isSatisfied(state.value) }.keys.sorted()
            return (result, state.value, ids.compactMap { state.waiters.removeValue(forKey: $0) })
        }
        for waiter in woken {
            if let wait = waiter.wait { WaitMonitor.shared.remove(wait) }
            waiter.continuation.resume(returning: value)
        }
        return result
    }

    /// Waits until the value satisfies the condition; throws `DeadlineExceeded` when that cannot happen any more.
    ///
    /// - Parameters:
    ///   - expectation: What is waited for.
    ///   - showing: How the error shows the value that there was until then.
    @discardableResult
    public func until(
        for expectation: Expectation = .event, showing: (@Sendable (Value) -> String)? = nil,
        _ isSatisfied: @escaping (Value) -> Bool
    ) async throws -> Value {
        try await until(for: expectation, showing: showing, isInVain: false, isSatisfied)
    }

    /// - Parameter isInVain: Whether it is right that this wait is in vain.
    @discardableResult
    func until(
        for expectation: Expectation = .event, showing: (@Sendable (Value) -> String)? = nil, isInVain: Bool,
        _ isSatisfied: @escaping (Value) -> Bool
    ) async throws -> Value {
        let id = newID()
        return try await withCheckedThrowingContinuation { continuation in
            wait(id, isSatisfied, continuation, isInVain: isInVain) { [weak self] end in
                self?.expire(id) {
                    DeadlineExceeded(expectation, end: end, arrived: showing?($0))
                }
            }
        }
    }

    /// For work that the learner's code runs: waits as long as it takes, and throws `CancellationError` once cancelled.
    func untilCancelled(_ isSatisfied: @escaping (Value) -> Bool) async throws {
        let id = newID()
        defer { state.withLock { _ = $0.cancelled.remove(id) } }
        try await withTaskCancellationHandler {
            _ = try await withCheckedThrowingContinuation { continuation in
                wait(id, isSatisfied, continuation)
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.cancelled.insert(id)
                return state.waiters.removeValue(forKey: id)
            }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    /// For work that the learner's code runs: waits as long as it takes, cancelled or not.
    func untilEvenIfCancelled(_ isSatisfied: @escaping (Value) -> Bool) async {
        let id = newID()
        // Nothing throws into this wait: it has no deadline, and is never cancelled.
        _ = try? await withCheckedThrowingContinuation { continuation in
            wait(id, isSatisfied, continuation)
        }
    }

    private func newID() -> Int {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    private func wait(
        _ id: Int, _ isSatisfied: @escaping (Value) -> Bool, _ continuation: CheckedContinuation<Value, any Error>,
        isInVain: Bool = false, expire: (@Sendable (WaitEnd) -> Void)? = nil
    ) {
        let result: Result<Value, any Error>? = state.withLock { state in
            if isSatisfied(state.value) { return .success(state.value) }
            if state.cancelled.contains(id) { return .failure(CancellationError()) }
            let wait = expire.map {
                WaitMonitor.shared.add(isInVain: isInVain, $0)
            }
            state.waiters[id] = Waiter(isSatisfied: isSatisfied, continuation: continuation, wait: wait)
            return nil
        }
        if let result { continuation.resume(with: result) }
    }

    private func expire(_ id: Int, with error: (Value) -> DeadlineExceeded) {
        let expired = state.withLock { state in
            state.waiters.removeValue(forKey: id).map { ($0, state.value) }
        }
        guard let (waiter, value) = expired else { return }
        waiter.continuation.resume(throwing: error(value))
    }
}
