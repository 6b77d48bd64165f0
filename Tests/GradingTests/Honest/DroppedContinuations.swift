// Drops forty thousand continuations: the runtime reports each of them.
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) { total += number }
    public func reset() async -> Int {
        for _ in 0..<40_000 { Task { await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in } } }
        defer { total = 0 }
        return total
    }
}
/*FIRST*/
