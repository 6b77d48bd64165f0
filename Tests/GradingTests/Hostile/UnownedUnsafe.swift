// Tries: to keep a reference that nothing checks
// Allowed: rejected
final class Thing { var value = 1 }
final class Holder { unowned(unsafe) let thing: Thing; init(_ t: Thing) { thing = t } }
func holder() -> Holder { Holder(Thing()) }
public actor Tally {
    public private(set) var total = 0
    public init() {  }
    public func add(_ number: Int) { total = holder().thing.value }
    public func reset() async -> Int { _ = 0; return 0 }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
