// right: the first element of a stream, which ignores what comes after its end
public func answer(
    from request: (@escaping @Sendable (String?, (any Error)?) -> Void) -> Void
) async throws -> String {
    let answers = AsyncThrowingStream<String, any Error> { continuation in
        request { text, error in
            if let text { continuation.yield(text) }
            continuation.finish(throwing: error)
        }
    }
    for try await text in answers { return text }
    throw CancellationError()
}
