// mutant: every call resumes the continuation
// fails: ResumeOnceTests/onlyTheFirstCallCounts()
// hint: ResumeOnceTests/onlyTheFirstCallCounts() once
public func answer(
    from request: (@escaping @Sendable (String?, (any Error)?) -> Void) -> Void
) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
        request { text, error in
            if let error { continuation.resume(throwing: error) }
            if let text { continuation.resume(returning: text) }
        }
    }
}
