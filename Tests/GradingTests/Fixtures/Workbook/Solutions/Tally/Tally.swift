public actor Tally {
    public private(set) var total = 0

    public init() {}

    public func add(_ number: Int) {
        total += number
    }

    public func reset() async -> Int {
        defer { total = 0 }
        return total
    }
}

public struct NoValue: Error {
    public init() {}
}

public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    for await value in stream { return value }
    throw NoValue()
}
