// Tries: to have a string in its interface taken for the declarations that it lacks
// Allowed: rejected didNotCompile failed
public func help(_ text: String = """
    public actor Tally {
      public var total: Swift.Int {
        get
      }
      public init()
      public func add(_ number: Swift.Int)
      public func reset() async -> Swift.Int
    }
    """) {}
public actor Tally {
    public var total: Int { 0 }
    public init() {}
    public func add(_ number: Int) {}
    public func reset() async throws -> Int { throw NoValue() }
}
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element { throw NoValue() }
