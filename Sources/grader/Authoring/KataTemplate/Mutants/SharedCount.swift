// mutant: counts the attempts of all calls in one variable
// fails: KataNameTests/callsDoNotMeet()
// hint: KataNameTests/callsDoNotMeet() shared

nonisolated(unsafe) private var attempt = 0

public func retry(
    attempts: Int, pause: Duration, clock: any Clock<Duration>, _ operation: @Sendable () async -> Int?
) async -> Int? {
    attempt = 0
    while attempt < attempts {
        if attempt > 0 {
            do { try await clock.sleep(for: pause) } catch { return nil }
        }
        attempt += 1
        if let value = await operation() { return value }
    }
    return nil
}
