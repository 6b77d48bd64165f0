// The continuations that check nothing, which honest code uses for speed.
import Foundation
/*TALLY*/
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    try await withUnsafeThrowingContinuation { (continuation: UnsafeContinuation<Element, any Error>) in
        Task {
            for await value in stream { return continuation.resume(returning: value) }
            continuation.resume(throwing: NoValue())
        }
    }
}
func other() async -> Int { await withUnsafeContinuation { $0.resume(returning: 1) } }
func cancelled() -> Bool { withUnsafeCurrentTask { $0?.isCancelled ?? false } }
