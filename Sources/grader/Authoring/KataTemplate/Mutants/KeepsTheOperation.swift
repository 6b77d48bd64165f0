// mutant: keeps the operation after the end
// fails: KataNameTests/theOperationIsReleased()
// hint: KataNameTests/theOperationIsReleased() released

import Synchronization

private let operations = Mutex<[@Sendable () async -> Int?]>([])

public func retry(
    attempts: Int, pause: Duration, clock: any Clock<Duration>, _ operation: @escaping @Sendable () async -> Int?
) async -> Int? {
    operations.withLock { $0.append(operation) }
    for attempt in 1...attempts {
        if attempt > 1 {
            do { try await clock.sleep(for: pause) } catch { return nil }
        }
        if let value = await operation() { return value }
    }
    return nil
}
