// Every kind of task group, with all that can be done with one.
struct Wrong: Error {}
func sum(_ numbers: [Int]) async -> Int {
    await withTaskGroup(of: Int.self) { group in
        for number in numbers { group.addTask { number } }
        group.addTask(name: "zero", priority: .high) { 0 }
        var sum = 0
        for await number in group { sum += number }
        return sum
    }
}
func reduced(_ numbers: [Int]) async throws -> Int {
    try await withThrowingTaskGroup(of: Int.self, returning: Int.self) { group in
        add(numbers, to: &group)
        return try await group.map { $0 * 2 }.reduce(0, +) / 2
    }
}
func add(_ numbers: [Int], to group: inout ThrowingTaskGroup<Int, any Error>) {
    for number in numbers { _ = group.addTaskUnlessCancelled { number } }
}
func discarding() async throws -> Bool {
    await withDiscardingTaskGroup { group in group.addTask {}; group.cancelAll() }
    do {
        try await withThrowingDiscardingTaskGroup { group in group.addTask { throw Wrong() } }
        return false
    } catch is Wrong { return true }
}
func first() async throws -> Int? {
    try await withThrowingTaskGroup(of: Int.self) { group in
        group.addTask { 1 }
        defer { group.cancelAll() }
        let result = await group.nextResult()
        let nothing = try await group.next()
        try await group.waitForAll()
        return group.isEmpty && nothing == nil && !group.isCancelled ? try result?.get() : nil
    }
}
public actor Tally {
    public private(set) var total = 0
    private var seen = 0
    public init() {}
    public func add(_ number: Int) async {
        let sum = await withTaskGroup(of: Int.self) { group in
            group.addTask { await self.one() }
            group.addImmediateTask { await self.one() }
            while let number = await group.next() { seen += number }
            return seen
        }
        let discards = (try? await discarding()) == true
        let comesFirst = (try? await first()) == 1
        if sum > 0, discards, comesFirst, (try? await reduced([1, 2])) == 3, await Tally.sum([1, 2]) == 3 { total += number }
    }
    private static func sum(_ numbers: [Int]) async -> Int { await firstSum(numbers) }
    private func one() -> Int { 1 }
    public func reset() async -> Int { defer { total = 0 }; return total }
}
func firstSum(_ numbers: [Int]) async -> Int { await sum(numbers) }
/*FIRST*/
