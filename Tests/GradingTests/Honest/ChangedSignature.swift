// Another signature that the suite can still be compiled against: a typed throw, a further default argument.
/*TALLY*/
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>, skipping count: Int = 0) async throws(NoValue) -> Element {
    var left = count
    for await value in stream { if left == 0 { return value } ; left -= 1 }
    throw NoValue()
}
