// mutant: takes the cancelled sleep for one that is over
// fails: KataNameTests/cancellingEndsThePause()
// hint: KataNameTests/cancellingEndsThePause() cancelled

public func retry(
    attempts: Int, pause: Duration, clock: any Clock<Duration>, _ operation: @Sendable () async -> Int?
) async -> Int? {
    for attempt in 1...attempts {
        if attempt > 1 { try? await clock.sleep(for: pause) }
        if let value = await operation() { return value }
    }
    return nil
}
