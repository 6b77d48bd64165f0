import Foundation

/// Delivers blocks one after another on the main actor, in one task that reads a stream of them.
final class Delivery: @unchecked Sendable {
    private let continuation: AsyncStream<() -> Void>.Continuation

    init() {
        let (stream, continuation) = AsyncStream<() -> Void>.makeStream()
        self.continuation = continuation
        Task { @MainActor in
            for await block in stream { block() }
        }
    }

    func callAsFunction(_ block: @escaping () -> Void) {
        continuation.yield(block)
    }

    deinit {
        continuation.finish()
    }
}
