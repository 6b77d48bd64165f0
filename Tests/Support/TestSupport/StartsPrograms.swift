import Dispatch
import Foundation
import Testing

/// Tests that start graders, compilers or browsers. If all of them did so at once, a machine with two processors would run
/// dozens of compilers, and each test would wait for the others.
///
/// A few of them run at a time: two for each processor, because most of them wait most of the time. They may block their
/// thread.
public struct StartsPrograms: SuiteTrait, TestTrait, TestScoping {
    /// Whether the tests grade. What every grading needs is compiled once, before the first of these tests starts.
    var grades: Bool
    /// Whether the tests start before others that wait: the longest would run alone at the end.
    var areFirst = false

    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        if grades { try await TestCache.prepared() }
        await Turns.shared.take(isFirst: areFirst)
        let result: Result<Void, any Error>
        do {
            result = .success(try await withTaskExecutorPreference(OwnThread()) { try await function() })
        } catch {
            result = .failure(error)
        }
        await Turns.shared.giveBack()
        try result.get()
    }
}

extension Trait where Self == StartsPrograms {
    /// The tests start programs, so only a few of them run at a time.
    public static var startsPrograms: StartsPrograms { StartsPrograms(grades: false) }

    /// The tests grade, so only a few of them run at a time.
    public static var grades: StartsPrograms { StartsPrograms(grades: true) }

    /// The tests grade for about a minute, so they start first.
    public static var gradesForLong: StartsPrograms { StartsPrograms(grades: true, areFirst: true) }
}

/// How many more tests may start, and the tests that wait for that: the longest, and then the others in the order in which they
/// came.
private actor Turns {
    static let shared = Turns()

    private var free = ProcessInfo.processInfo.activeProcessorCount * 2
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take(isFirst: Bool) async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.insert($0, at: isFirst ? 0 : waiting.count) }
        }
    }

    func giveBack() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}

/// Runs one test's tasks on a thread outside of any pool. In a pool, a test that waits at a terminal would keep other
/// tests from running.
private final class OwnThread: TaskExecutor {
    private let queue = DispatchQueue(label: "a test's own thread")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
