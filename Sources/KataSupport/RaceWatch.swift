import Synchronization

/// An access without a lock is only seen where a thread can be stopped right before it, and most tests let their threads run.
///
/// While it is on, each test is run as an exploration of few orders, and fails if two accesses meet of which one is a write.
/// Nothing else that happens in these orders counts: the test has passed by itself.
enum RaceWatch {
    private static let state = Atomic(false)

    static var isOn: Bool { state.load(ordering: .acquiring) }
    static func begin() { state.store(true, ordering: .releasing) }

    /// One interruption is enough for two threads to stand side by side.
    private static let limits = Exploration.Limits(tries: 20, interruptions: 1, processorSeconds: 0.5)

    static func run(_ test: @Sendable () async throws -> Void) async throws {
        guard let schedules = Schedules.shared else { return }
        TaskQueue.shared.begin()
        let test = escaping(test)
        let exploration = Exploration(schedules, limits) { _ in
            schedules.interrupt(true)
            try? await test()
        }
        do {
            _ = try await exploration.run()
        } catch let failure as ExploredFailure where failure.finding.kind == .dataRace {
            throw failure
        } catch {}
    }

    private typealias Test = @Sendable () async throws -> Void

    /// An order that is given up keeps the test's closure, though it never goes on, and `withoutActuallyEscaping` would end the
    /// process for that. The closure that Swift Testing hands on does not end with a call.
    private static func escaping(_ test: Test) -> Test {
        let identity: (@escaping Test) -> Test = { $0 }
        return unsafeBitCast(identity, to: ((Test) -> Test).self)(test)
    }
}

/// For the program that runs a suite: from here on, tests are run to see whether accesses meet.
@_cdecl("kataSupportWatchRaces")
func watchRaces() { RaceWatch.begin() }
