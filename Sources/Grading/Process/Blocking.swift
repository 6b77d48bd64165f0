import Dispatch

/// Runs blocking work on a thread that may block, so that the few threads of concurrency go on.
func runBlocking<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, Failure>, Never>) in
        DispatchQueue.global().async {
            do throws(Failure) {
                continuation.resume(returning: .success(try work()))
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
    }
    return try result.get()
}

/// What came of work, as a value that tasks can hand on.
func asyncResult<Value: Sendable>(_ work: () async throws(GradingError) -> Value) async -> Result<Value, GradingError> {
    do throws(GradingError) {
        return .success(try await work())
    } catch {
        return .failure(error)
    }
}
