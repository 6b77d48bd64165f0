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

    func testRunsEachOperationOnce() async throws {
        let runs = KataSupport.Observed([0, 0, 0])
        let operations = (0..<3).map { number -> Operation in
            {
                runs.update { $0[number] += 1 }
                return number
            }
        }
        _ = try await KataSupport.result { try await AsyncMerge.merge(operations) }
        try KataSupport.expect(runs.value, equals: [1, 1, 1])
        _ = try await KataSupport.result {
            for try await _ in AsyncMerge.mergeStream(operations) {}
        }
        try KataSupport.expect(runs.value, equals: [2, 2, 2])
    }

    func testThrowsTheErrorOfAnOperation() async throws {
        let clock = KataSupport.TestClock()
        let operations: [Operation] = [
            {
                try await clock.sleep(for: .milliseconds(100))
                throw KataSupport.Failure("offline")
            },
            {
                try await clock.sleep(for: .milliseconds(200))
                return 2
            },
        ]
        let merge = Task { try await AsyncMerge.merge(operations) }
        await clock.advance(by: .seconds(1))
        let result = try await KataSupport.result { try await merge.value }
        try KataSupport.expect(result, throws: KataSupport.Failure("offline"))
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
