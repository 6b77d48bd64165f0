import Foundation

/// All tries of one call of `explore`, on a thread that gives the others their turns.
final class Exploration: Sendable {
    /// What decides how long it takes. Each of them ends it the same way on every machine, but for the last, which only ends
    /// what has no end.
    struct Limits: Sendable {
        var tries: UInt32
        var interruptions: UInt32 = 2
        var processorSeconds = 5.0
    }

    private let schedules: Schedules
    private let limits: Limits
    private let body: @Sendable (Race) async throws -> Void
    private let error = Locked<(any Error)?>(nil)
    private let isFirstTry = Locked(true)

    init(
        _ schedules: Schedules, _ limits: Limits, body: @escaping @Sendable (Race) async throws -> Void
    ) {
        self.schedules = schedules
        self.limits = limits
        self.body = body
    }

    func run() async throws -> Schedules.Result {
        let result = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: self.explore()) }
        }
        switch result {
        case .passed, .undecided: return result
        case .failed:
            throw error.withLock { $0 }.map { ExploredFailure($0, in: schedules.last) } ?? CancellationError()
        case .dataRace:
            throw ExploredFailure(
                "dataRace", .dataRace, in: schedules.last,
                "Expected accesses that cannot be made at the same time, but two can, and one of them writes.")
        case .stuck:
            throw ExploredFailure(
                "stuck", .deadlock, in: schedules.last,
                "Expected the threads to go on, but each waits for something that cannot happen any more.")
        case .endless:
            WaitMonitor.shared.noteEndless()
            throw ExploredFailure(
                "stillRunning", .stillRunning, in: schedules.last,
                "Expected the code to come to an end, but it goes on without one.")
        }
    }

    /// Blocks this thread until the tries are over.
    private func explore() -> Schedules.Result {
        Schedules.hasExplored.store(true, ordering: .releasing)
        WaitMonitor.shared.pause(true)
        defer { WaitMonitor.shared.pause(false) }
        let context = Unmanaged.passUnretained(self).toOpaque()
        let begin: Schedules.Call = { context in
            guard let context else { return }
            Unmanaged<Exploration>.fromOpaque(context).takeUnretainedValue().begin()
        }
        let isWoken: Schedules.IsWoken = { _ in WaitMonitor.shared.endOldestWait() }
        let isAsleep: Schedules.IsAsleep = { ProcessActivity.isAsleep() }
        let start = ProcessActivity.processorSeconds
        let ending: Int32
        if let text = Self.wanted {
            ending = schedules.replay(begin, isWoken, isAsleep, context, text)
        } else {
            ending = schedules.explore(
                begin, isWoken, isAsleep, context, Seed.value, limits.tries, limits.processorSeconds,
                limits.interruptions)
        }
        let result = Schedules.Result(rawValue: ending) ?? .undecided
        Expectations.add(orders: Int(schedules.tries()))
        tell(result, start)
        return result
    }

    /// How many orders were tried, with which result, in which processor time, where an author has asked for it.
    private func tell(_ result: Schedules.Result, _ start: Double) {
        guard ProcessInfo.processInfo.environment["KATA_EXPLORATIONS"] != nil else { return }
        let milliseconds = ((ProcessActivity.processorSeconds - start) * 1000).rounded()
        print("explored: \(schedules.tries()) orders, \(milliseconds) ms, \(result), \(schedules.last.text)")
    }

    /// The one order that is to be run, where a learner has asked for it.
    private static let wanted = ProcessInfo.processInfo.environment["KATA_SCHEDULE"]

    private func begin() {
        let isFirst = isFirstTry.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
        }
        Expectations.count(again: isFirst)
        Task {
            do {
                try await body(Race())
                schedules.end(false)
            } catch {
                self.error.withLock { $0 = error }
                schedules.end(true)
            }
        }
    }
}

/// The threads of a race, as threads of the scheduler's.
final class ExploredThreads: Sendable {
    private let bodies: [@Sendable () -> Void]
    private let schedules: Schedules
    private let left: Locked<Int>
    private let continuation = Locked<CheckedContinuation<Void, Never>?>(nil)

    init(_ bodies: [@Sendable () -> Void], _ schedules: Schedules) {
        self.bodies = bodies
        self.schedules = schedules
        left = Locked(bodies.count)
    }

    /// Returns when all have ended and nothing can go on. Where one never ends, nothing can go on before, and that is told.
    func run() async {
        await withCheckedContinuation { continuation in
            self.continuation.withLock { $0 = continuation }
            for body in bodies { start(body) }
            schedules.interrupt(true)
        }
    }

    private func start(_ body: @escaping @Sendable () -> Void) {
        let call = Retained {
            body()
            let isLast = self.left.withLock { left in
                left -= 1
                return left == 0
            }
            if isLast { self.endWhenQuiet() }
        }
        schedules.start({ Retained.call($0) }, call.context)
    }

    private func endWhenQuiet() {
        schedules.whenQuiet(
            { Retained.call($0) },
            Retained {
                self.schedules.interrupt(false)
                let continuation = self.continuation.withLock { continuation in
                    defer { continuation = nil }
                    return continuation
                }
                continuation?.resume()
            }.context)
    }
}

/// C takes a function and a pointer, and no closure.
///
/// A closure that is called once through a pointer.
final class Retained: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    /// Keeps the closure until it is called.
    var context: UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

    static func call(_ context: UnsafeMutableRawPointer?) {
        guard let context else { return }
        Unmanaged<Retained>.fromOpaque(context).takeRetainedValue().body()
    }
}
