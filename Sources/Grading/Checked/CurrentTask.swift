// A reference to the running task is valid inside one call only, and Swift's own does not check that.
import Synchronization

/// The task that runs a closure of `withUnsafeCurrentTask`. Used after the closure has returned, it ends the process.
public struct UnsafeCurrentTask: Hashable {
    fileprivate let call: Call
    /// Where the task lies, which is all that Swift's own compares and hashes. What lies there is never read.
    private let address: UnsafeRawPointer

    fileprivate final class Call: Sendable {
        private struct State: @unchecked Sendable {  // lies behind a lock
            var task: _Concurrency.UnsafeCurrentTask?
            var uses = 0
        }
        private let state: Mutex<State>

        init(_ task: _Concurrency.UnsafeCurrentTask) { state = Mutex(State(task: task)) }

        func use<Result>(_ body: (_Concurrency.UnsafeCurrentTask) -> Result) -> Result {
            let task = state.withLock { state in
                guard let task = state.task else {
                    fatalError("UnsafeCurrentTask was used after withUnsafeCurrentTask has returned")
                }
                state.uses += 1
                return task
            }
            defer { state.withLock { $0.uses -= 1 } }
            return body(task)
        }

        func end() {
            state.withLock { state in
                precondition(state.uses == 0, "UnsafeCurrentTask was in use when withUnsafeCurrentTask returned")
                state.task = nil
            }
        }
    }

    fileprivate init(_ task: _Concurrency.UnsafeCurrentTask) {
        call = Call(task)
        address = unsafeBitCast(task, to: UnsafeRawPointer.self)
    }

    public static func == (left: UnsafeCurrentTask, right: UnsafeCurrentTask) -> Bool {
        left.address == right.address
    }
    public func hash(into hasher: inout Hasher) { address.hash(into: &hasher) }

    public var isCancelled: Bool { call.use { $0.isCancelled } }
    public var priority: TaskPriority { call.use { $0.priority } }
    public var basePriority: TaskPriority { call.use { $0.basePriority } }
    public func cancel() { call.use { $0.cancel() } }
    public func escalatePriority(to newPriority: TaskPriority) {
        call.use { $0.escalatePriority(to: newPriority) }
    }
}

public struct WithUnsafeCurrentTask: Sendable {
    public init() {}

    public func callAsFunction<Result>(body: (UnsafeCurrentTask?) throws -> Result) rethrows -> Result {
        try _Concurrency.withUnsafeCurrentTask { task in
            let checked = task.map { UnsafeCurrentTask($0) }
            defer { checked?.call.end() }
            return try body(checked)
        }
    }

    public func callAsFunction<Result>(
        body: (UnsafeCurrentTask?) async throws -> Result
    ) async rethrows -> Result {
        try await _Concurrency.withUnsafeCurrentTask { task in
            let checked = task.map { UnsafeCurrentTask($0) }
            defer { checked?.call.end() }
            return try await body(checked)
        }
    }
}

/// One call of `withTaskGroup` or its like: what it hands out may be used until its closure returns, by its own task.
final class GroupCall<Group>: @unchecked Sendable {  // only the task that owns it gets beyond the first check
    private let owner = GroupCall.currentTask
    private var group: Group?

    init(_ group: Group) { self.group = group }

    private static var currentTask: Int { _Concurrency.withUnsafeCurrentTask { $0?.hashValue ?? 0 } }

    var current: Group {
        get {
            guard owner == GroupCall.currentTask, let group else {
                fatalError("A task group was used outside of the closure that it was made for")
            }
            return group
        }
        set {
            precondition(owner == GroupCall.currentTask && group != nil)
            group = newValue
        }
    }

    func end() { group = nil }
}
