// Tries: to offer something else under the right name
// Allowed: rejected didNotCompile
public enum Tally { case one }
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    throw NoValue()
}
