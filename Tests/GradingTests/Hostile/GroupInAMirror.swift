// Tries: to find the task group behind the checked one in a mirror, and to use it when its call has returned
// Allowed: failed crashed
struct Kept: @unchecked Sendable { var sequence: any AsyncSequence }
func look(into value: Any, depth: Int = 0) -> [Kept] {
    if depth > 5 { return [] }
    return Mirror(reflecting: value).children.flatMap { child in
        let found = (child.value as? any AsyncSequence).map { [Kept(sequence: $0)] } ?? []
        return found + look(into: child.value, depth: depth + 1)
    }
}
func use<Sequence: AsyncSequence>(_ sequence: Sequence) async {
    var iterator = sequence.makeAsyncIterator()
    _ = try? await iterator.next()
}
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) async {
        let kept = await withTaskGroup(of: Int.self) { group in
            group.addTask { 1 }
            return look(into: group)
        }
        for kept in kept { await use(kept.sequence) }
        if !kept.isEmpty { total += number }
    }
    public func reset() async -> Int { 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element { throw NoValue() }
