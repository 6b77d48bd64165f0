public actor Tally {
    public private(set) var total = 0

    public init() {}

    public func add(_ number: Int) {
        // Your code here.
    }

    public func reset() async -> Int {
        0
    }
}

public struct NoValue: Error {
    public init() {}
}

public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
