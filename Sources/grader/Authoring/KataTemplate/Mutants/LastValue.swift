// mutant: goes on after a value, and gives the last one
// fails: KataNameTests/theFirstValueCounts()
// hint: KataNameTests/theFirstValueCounts() first

public func retry(
    attempts: Int, pause: Duration, clock: any Clock<Duration>, _ operation: @Sendable () async -> Int?
) async -> Int? {
    var result: Int?
    for attempt in 1...attempts {
        if attempt > 1 {
            do { try await clock.sleep(for: pause) } catch { return nil }
        }
        result = await operation()
    }
    return result
}
