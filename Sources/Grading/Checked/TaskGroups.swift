// A task group lies in the memory of the call that made it. A copy that outlives the call reads and writes what lies there
// then, and Swift's own does not check that. These have the same members and pass each use on to Swift's own, as long as the
// call lasts.

public struct TaskGroup<ChildTaskResult: Sendable> {
    fileprivate let call: GroupCall<_Concurrency.TaskGroup<ChildTaskResult>>

    public var isEmpty: Bool { call.current.isEmpty }
    public var isCancelled: Bool { call.current.isCancelled }
    public func cancelAll() { call.current.cancelAll() }

    public mutating func addTask(
        priority: TaskPriority? = nil, operation: sending @escaping @isolated(any) () async -> ChildTaskResult
    ) {
        call.current.addTask(priority: priority, operation: operation)
    }

    public mutating func addTask(
        name: String?, priority: TaskPriority? = nil,
        operation: sending @escaping @isolated(any) () async -> ChildTaskResult
    ) {
        call.current.addTask(name: name, priority: priority, operation: operation)
    }

    public mutating func addTaskUnlessCancelled(
        priority: TaskPriority? = nil, operation: sending @escaping @isolated(any) () async -> ChildTaskResult
    ) -> Bool {
        call.current.addTaskUnlessCancelled(priority: priority, operation: operation)
    }

    public mutating func addTaskUnlessCancelled(
        name: String?, priority: TaskPriority? = nil,
        operation: sending @escaping @isolated(any) () async -> ChildTaskResult
    ) -> Bool {
        call.current.addTaskUnlessCancelled(name: name, priority: priority, operation: operation)
    }

    public mutating func addImmediateTask(
        name: String? = nil, priority: TaskPriority? = nil,
        @_inheritActorContext @_implicitSelfCapture operation:
            sending @escaping @isolated(any) () async -> ChildTaskResult
    ) {
        call.current.addImmediateTask(name: name, priority: priority, operation: operation)
    }

    public mutating func addImmediateTaskUnlessCancelled(
        name: String? = nil, priority: TaskPriority? = nil,
        @_inheritActorContext @_implicitSelfCapture operation:
            sending @escaping @isolated(any) () async -> ChildTaskResult
    ) -> Bool {
        call.current.addImmediateTaskUnlessCancelled(name: name, priority: priority, operation: operation)
    }

    public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> ChildTaskResult? {
        await call.current.next(isolation: isolation)
    }

    public mutating func waitForAll(isolation: isolated (any Actor)? = #isolation) async {
        await call.current.waitForAll(isolation: isolation)
    }
}

extension TaskGroup: AsyncSequence {
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var group: TaskGroup
        fileprivate var isFinished = false

        public mutating func next() async -> ChildTaskResult? { await next(isolation: nil) }
        public mutating func next(isolation actor: isolated (any Actor)?) async -> ChildTaskResult? {
            if isFinished { return nil }
            let element = await group.next(isolation: actor)
            isFinished = element == nil
            return element
        }
        public mutating func cancel() {
            isFinished = true
            group.cancelAll()
        }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(group: self) }
}

public struct WithTaskGroup: Sendable {
    public init() {}

    public func callAsFunction<ChildTaskResult: Sendable, GroupResult>(
        of childTaskResultType: ChildTaskResult.Type = ChildTaskResult.self,
        returning returnType: GroupResult.Type = GroupResult.self, isolation: isolated (any Actor)? = #isolation,
        body: (inout TaskGroup<ChildTaskResult>) async -> GroupResult
    ) async -> GroupResult {
        await _Concurrency.withTaskGroup(of: childTaskResultType, returning: returnType, isolation: isolation) { base in
            var group = TaskGroup(call: GroupCall(base))
            let call = group.call
            defer { call.end() }
            return await body(&group)
        }
    }
}

public struct ThrowingTaskGroup<ChildTaskResult: Sendable, Failure: Error> {
    fileprivate let call: GroupCall<_Concurrency.ThrowingTaskGroup<ChildTaskResult, Failure>>

    public var isEmpty: Bool { call.current.isEmpty }
    public var isCancelled: Bool { call.current.isCancelled }
    public func cancelAll() { call.current.cancelAll() }

    public mutating func addTask(
        priority: TaskPriority? = nil, operation: sending @escaping @isolated(any) () async throws -> ChildTaskResult
    ) {
        call.current.addTask(priority: priority, operation: operation)
    }

    public mutating func addTask(
        name: String?, priority: TaskPriority? = nil,
        operation: sending @escaping @isolated(any) () async throws -> ChildTaskResult
    ) {
        call.current.addTask(name: name, priority: priority, operation: operation)
    }

    public mutating func addTaskUnlessCancelled(
        priority: TaskPriority? = nil, operation: sending @escaping @isolated(any) () async throws -> ChildTaskResult
    ) -> Bool {
        call.current.addTaskUnlessCancelled(priority: priority, operation: operation)
    }

    public mutating func addTaskUnlessCancelled(
        name: String?, priority: TaskPriority? = nil,
        operation: sending @escaping @isolated(any) () async throws -> ChildTaskResult
    ) -> Bool {
        call.current.addTaskUnlessCancelled(name: name, priority: priority, operation: operation)
    }

    public mutating func addImmediateTask(
        name: String? = nil, priority: TaskPriority? = nil,
        @_inheritActorContext @_implicitSelfCapture operation:
            sending @escaping @isolated(any) () async throws -> ChildTaskResult
    ) {
        call.current.addImmediateTask(name: name, priority: priority, operation: operation)
    }

    public mutating func addImmediateTaskUnlessCancelled(
        name: String? = nil, priority: TaskPriority? = nil,
        @_inheritActorContext @_implicitSelfCapture operation:
            sending @escaping @isolated(any) () async throws -> ChildTaskResult
    ) -> Bool {
        call.current.addImmediateTaskUnlessCancelled(name: name, priority: priority, operation: operation)
    }

    public mutating func next(isolation: isolated (any Actor)? = #isolation) async throws -> ChildTaskResult? {
        try await call.current.next(isolation: isolation)
    }

    public mutating func nextResult(
        isolation: isolated (any Actor)? = #isolation
    ) async -> Result<ChildTaskResult, Failure>? {
        await call.current.nextResult(isolation: isolation)
    }

    public mutating func waitForAll(isolation: isolated (any Actor)? = #isolation) async throws {
        try await call.current.waitForAll(isolation: isolation)
    }
}

extension ThrowingTaskGroup: AsyncSequence {
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate var group: ThrowingTaskGroup
        fileprivate var isFinished = false

        public mutating func next() async throws -> ChildTaskResult? { try await next(isolation: nil) }
        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> ChildTaskResult? {
            if isFinished { return nil }
            switch await group.nextResult(isolation: actor) {
            case .success(let element): return element
            case .failure(let error):
                isFinished = true
                throw error
            case nil:
                isFinished = true
                return nil
            }
        }
        public mutating func cancel() {
            isFinished = true
            group.cancelAll()
        }
    }

    public func makeAsyncIterator() -> Iterator { Iterator(group: self) }
}

public struct WithThrowingTaskGroup: Sendable {
    public init() {}

    public func callAsFunction<ChildTaskResult: Sendable, GroupResult>(
        of childTaskResultType: ChildTaskResult.Type = ChildTaskResult.self,
        returning returnType: GroupResult.Type = GroupResult.self, isolation: isolated (any Actor)? = #isolation,
        body: (inout ThrowingTaskGroup<ChildTaskResult, any Error>) async throws -> GroupResult
    ) async rethrows -> GroupResult {
        try await _Concurrency.withThrowingTaskGroup(
            of: childTaskResultType, returning: returnType, isolation: isolation
        ) {
            base in
            var group = ThrowingTaskGroup(call: GroupCall(base))
            let call = group.call
            defer { call.end() }
            return try await body(&group)
        }
    }
}

public struct DiscardingTaskGroup {
    fileprivate let call: GroupCall<_Concurrency.DiscardingTaskGroup>

    public var isEmpty: Bool { call.current.isEmpty }
    public var isCancelled: Bool { call.current.isCancelled }
    public func cancelAll() { call.current.cancelAll() }

    public mutating func addTask(
        priority: TaskPriority? = nil, operation: sending @escaping @isolated(any) () async -> Void
    ) {
        call.current.addTask(priority: priority, operation: operation)
    }

    public mutating func addTask(
        name: String?, priority: TaskPriority? = nil,
        operation: sending @escaping @isolated(any) () async -> Void
    ) {
        call.current.addTask(name: name, priority: priority, operation: operation)
    }

    public mutating func addTaskUnlessCancelled(
        priority: TaskPriority? = nil, operation: sending @escaping @isolated(any) () async -> Void
    ) -> Bool {
        call.current.addTaskUnlessCancelled(priority: priority, operation: operation)
    }

    public mutating func addTaskUnlessCancelled(
        name: String?, priority: TaskPriority? = nil,
        operation: sending @escaping @isolated(any) () async -> Void
    ) -> Bool {
        call.current.addTaskUnlessCancelled(name: name, priority: priority, operation: operation)
    }

    public mutating func addImmediateTask(
        name: String? = nil, priority: TaskPriority? = nil,
        @_inheritActorContext @_implicitSelfCapture operation: sending @escaping @isolated(any) () async -> Void
    ) {
        call.current.addImmediateTask(name: name, priority: priority, operation: operation)
    }

    public mutating func addImmediateTaskUnlessCancelled(
        name: String? = nil, priority: TaskPriority? = nil,
        @_inheritActorContext @_implicitSelfCapture operation: sending @escaping @isolated(any) () async -> Void
    ) -> Bool {
        call.current.addImmediateTaskUnlessCancelled(name: name, priority: priority, operation: operation)
    }
}

public struct WithDiscardingTaskGroup: Sendable {
    public init() {}

    public func callAsFunction<GroupResult>(
        returning returnType: GroupResult.Type = GroupResult.self, isolation: isolated (any Actor)? = #isolation,
        body: (inout DiscardingTaskGroup) async -> GroupResult
    ) async -> GroupResult {
        await _Concurrency.withDiscardingTaskGroup(returning: returnType, isolation: isolation) { base in
            var group = DiscardingTaskGroup(call: GroupCall(base))
            let call = group.call
            defer { call.end() }
            return await body(&group)
        }
    }
}

public struct ThrowingDiscardingTaskGroup<Failure: Error> {
    fileprivate let call: GroupCall<_Concurrency.ThrowingDiscardingTaskGroup<Failure>>

    public var isEmpty: Bool { call.current.isEmpty }
    public var isCancelled: Bool { call.current.isCancelled }
    public func cancelAll() { call.current.cancelAll() }

    public mutating func addTask(
        priority: TaskPriority? = nil, operation: sending @escaping @isolated(any) () async throws -> Void
    ) {
        call.current.addTask(priority: priority, operation: operation)
    }

    public mutating func addTask(
        name: String?, priority: TaskPriority? = nil,
        operation: sending @escaping @isolated(any) () async throws -> Void
    ) {
        call.current.addTask(name: name, priority: priority, operation: operation)
    }

    public mutating func addTaskUnlessCancelled(
        priority: TaskPriority? = nil, operation: sending @escaping @isolated(any) () async throws -> Void
    ) -> Bool {
        call.current.addTaskUnlessCancelled(priority: priority, operation: operation)
    }

    public mutating func addTaskUnlessCancelled(
        name: String?, priority: TaskPriority? = nil,
        operation: sending @escaping @isolated(any) () async throws -> Void
    ) -> Bool {
        call.current.addTaskUnlessCancelled(name: name, priority: priority, operation: operation)
    }

    public mutating func addImmediateTask(
        name: String? = nil, priority: TaskPriority? = nil,
        @_inheritActorContext @_implicitSelfCapture operation: sending @escaping @isolated(any) () async throws -> Void
    ) {
        call.current.addImmediateTask(name: name, priority: priority, operation: operation)
    }

    public mutating func addImmediateTaskUnlessCancelled(
        name: String? = nil, priority: TaskPriority? = nil,
        @_inheritActorContext @_implicitSelfCapture operation: sending @escaping @isolated(any) () async throws -> Void
    ) -> Bool {
        call.current.addImmediateTaskUnlessCancelled(name: name, priority: priority, operation: operation)
    }
}

public struct WithThrowingDiscardingTaskGroup: Sendable {
    public init() {}

    public func callAsFunction<GroupResult>(
        returning returnType: GroupResult.Type = GroupResult.self, isolation: isolated (any Actor)? = #isolation,
        body: (inout ThrowingDiscardingTaskGroup<any Error>) async throws -> GroupResult
    ) async throws -> GroupResult {
        try await _Concurrency.withThrowingDiscardingTaskGroup(returning: returnType, isolation: isolation) { base in
            var group = ThrowingDiscardingTaskGroup(call: GroupCall(base))
            let call = group.call
            defer { call.end() }
            return try await body(&group)
        }
    }
}
