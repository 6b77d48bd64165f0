import AsyncMerge
import KataSupport
import XCTest

final class AsyncMergeXCTests: XCTestCase {
    typealias Operation = @Sendable () async throws -> Int

    func testReturnsEveryResult() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(6)
        let operations = numbers.map { number -> Operation in { number } }
        let results = try await KataSupport.result { try await AsyncMerge.merge(operations).sorted() }
        try KataSupport.expect(results, equals: numbers.sorted())
    }

    func testThrowsTheErrorThatIsFirstInTime() async throws {
        let clock = KataSupport.TestClock()
        let operations: [Operation] = [
            {
                try? await clock.sleep(for: .milliseconds(200))
                throw KataSupport.Failure("second")
            },
            {
                try await clock.sleep(for: .milliseconds(100))
                throw KataSupport.Failure("first")
            },
        ]
        let merge = Task { try await AsyncMerge.merge(operations) }
        await clock.advance(by: .seconds(1))
        let result = try await KataSupport.result { try await merge.value }
        try KataSupport.expect(result, throws: KataSupport.Failure("first"))
    }

    func testCancellingTheCallerCancelsEveryOperation() async throws {
        let operations = KataSupport.CancellationProbe()
        let running: Operation = {
            try await operations.run()
            return 0
        }
        let caller = Task { try await AsyncMerge.merge([running, running, running]) }
        try await operations.started(3)
        caller.cancel()
        try await operations.cancelled(3)
    }

    func testWhatIsCancelledIsReleased() async throws {
        let probe = KataSupport.LeakProbe()
        let operations = KataSupport.CancellationProbe()
        func held() -> [Operation] {
            (0..<2).map { _ in
                { [token = probe.token()] in
                    try await operations.run()
                    withExtendedLifetime(token) {}
                    return 0
                }
            }
        }
        let caller = Task { try await AsyncMerge.merge(held()) }
        try await operations.started(2)
        caller.cancel()
        let consumer = Task {
            for try await _ in AsyncMerge.mergeStream(held()) {}
        }
        try await operations.started(4)
        consumer.cancel()
        try await probe.released()
    }
}
