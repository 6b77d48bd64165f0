// A continuation that checks nothing is a reference to its task: resumed a second time, it resumes whatever the task waits
// for by then, with a value of another type.

public typealias UnsafeContinuation<Success, Failure: Error> = CheckedContinuation<Success, Failure>

@_alwaysEmitIntoClient
nonisolated(nonsending) public func withUnsafeContinuation<Success>(
    _ body: (CheckedContinuation<Success, Never>) -> Void
) async -> sending Success {
    await withCheckedContinuation(function: "withUnsafeContinuation", body)
}

@_alwaysEmitIntoClient
nonisolated(nonsending) public func withUnsafeThrowingContinuation<Success>(
    _ body: (CheckedContinuation<Success, any Error>) -> Void
) async throws -> sending Success {
    try await withCheckedThrowingContinuation(function: "withUnsafeThrowingContinuation", body)
}
