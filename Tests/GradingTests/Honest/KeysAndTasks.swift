// Values that belong to a queue, and a look at the task that runs.
import Dispatch
final class Name: Sendable { let text: String; init(_ text: String) { self.text = text } }
let key = DispatchSpecificKey<Name>(), optional = DispatchSpecificKey<Int?>()
func isKnown() -> Bool {
    let queue = DispatchQueue(label: "known")
    queue.setSpecific(key: key, value: Name("a"))
    queue.setSpecific(key: optional, value: 3)
    let inside = queue.sync { DispatchQueue.getSpecific(key: key)?.text }
    queue.setSpecific(key: optional, value: nil)
    return inside == "a" && queue.getSpecific(key: optional) == nil && DispatchQueue.getSpecific(key: key) == nil
}
func look() async -> Bool {
    let isCancelled = withUnsafeCurrentTask { task in task.map { $0.isCancelled || $0.priority < .background } ?? true }
    let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return Task.isCancelled
    }
    let latest = Task { withUnsafeCurrentTask { $0?.hashValue } }
    let isLatest = await latest.value == latest.hashValue
    return await task.value && !isCancelled && isLatest
}
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) async { if isKnown(), await look() { total += number } }
    public func reset() async -> Int { defer { total = 0 }; return total }
}
/*FIRST*/
