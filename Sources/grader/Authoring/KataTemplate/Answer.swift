/// Calls an operation until it gives a value, with a pause between two attempts.
///
/// - Parameters:
///   - attempts: How often the operation is called at most.
///   - pause: How long to wait before another attempt.
///   - clock: Whose time counts.
/// - Returns: The first value that the operation gives; `nil` where it gives none, or where the task is cancelled.
public func retry(
    attempts: Int, pause: Duration, clock: any Clock<Duration>, _ operation: @Sendable () async -> Int?
) async -> Int? {
    for attempt in 1...attempts {
        if attempt > 1 {
            do { try await clock.sleep(for: pause) } catch { return nil }
        }
        if let value = await operation() { return value }
    }
    return nil
}
