// right: calls itself instead of a loop

public func retry(
    attempts: Int, pause: Duration, clock: any Clock<Duration>, _ operation: @Sendable () async -> Int?
) async -> Int? {
    if let value = await operation() { return value }
    guard attempts > 1, (try? await clock.sleep(for: pause)) != nil else { return nil }
    return await retry(attempts: attempts - 1, pause: pause, clock: clock, operation)
}
