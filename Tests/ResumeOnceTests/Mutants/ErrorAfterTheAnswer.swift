// mutant: counts answers only, so that an error after an answer resumes once more
// fails: ResumeOnceTests/onlyTheFirstCallCounts()
// hint: ResumeOnceTests/onlyTheFirstCallCounts() once
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

public func answer(
    from request: (@escaping @Sendable (String?, (any Error)?) -> Void) -> Void
) async throws -> String {
    let once = Once()
    return try await withCheckedThrowingContinuation { continuation in
        request { text, error in
            if let error { continuation.resume(throwing: error) }
            if let text, once.isFirst() { continuation.resume(returning: text) }
        }
    }
}
