// mutant: tries again immediately
// fails: KataNameXCTests/testPausesBetweenAttempts
// fails: KataNameTests/cancellingEndsThePause()
// hint: KataNameXCTests/testPausesBetweenAttempts pause

public func retry(
    attempts: Int, pause: Duration, clock: any Clock<Duration>, _ operation: @Sendable () async -> Int?
) async -> Int? {
    for _ in 1...attempts {
        if let value = await operation() { return value }
    }
    return nil
}
