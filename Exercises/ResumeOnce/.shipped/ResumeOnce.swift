import Foundation

/// Tells the first call from all others, whatever thread they come from.
final class Once: @unchecked Sendable {
    private let lock = NSLock()
    private var isOver = false

    /// True for the first call, and false after that.
    func isFirst() -> Bool {
        lock.withLock {
            defer { isOver = true }
            return !isOver
        }
    }
}

/// The first answer of a request, or its error.
public func answer(
    from request: (@escaping @Sendable (String?, (any Error)?) -> Void) -> Void
) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
        request { text, error in
            // An error resumes nothing here, and a second answer resumes once more. Use `Once`.
            if let text { continuation.resume(returning: text) }
        }
    }
}
