// Unstructured and detached tasks, groups, async let, priorities, yields, sleeps, task locals.
enum Context { @TaskLocal static var depth = 0 }
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) { total += number }
    private func nothing() {}
    public func reset() async -> Int {
        defer { total = 0 }
        let detached = Task.detached(priority: .low) { () -> Int in
            try? await Task.sleep(nanoseconds: 1_000)
            try? await Task.sleep(for: .milliseconds(1))
            await Task.yield()
            return 0
        }
        async let one = detached.value
        let many = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<4 { group.addTask { Context.$depth.withValue(2) { 0 } } }
            return await group.reduce(0, +)
        }
        let handle = Task { [weak self] in await self?.nothing() }
        handle.cancel()
        _ = await handle.result
        let extra = await one
        return await withTaskCancellationHandler { total + many + extra } onCancel: {}
    }
}
/*FIRST*/
