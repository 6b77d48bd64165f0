/// A test of something that waits 300 milliseconds should not take 300 milliseconds, and must not fail when the machine takes
/// 400.
///
/// A clock whose time moves only when the test says so. Sleepers wake in the order of their deadlines, and everything that
/// they set off has settled before the time moves on, so that what happens at which time is always the same.
///
///     let clock = KataSupport.TestClock()
///     await clock.advance(by: .milliseconds(300))
public final class TestClock: Clock, VirtualTime {
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public var offset: Duration

        public init(offset: Duration) {
            self.offset = offset
        }

        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper: Sendable {
        var deadline: Instant
        var order: Int
        var wake: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var now = Instant(offset: .zero)
        var count = 0
        var sleepers: [Int: Sleeper] = [:]
        /// Sleeps that were cancelled before they had begun.
        var cancelled: Set<Int> = []
        var atNextWaking: (@Sendable () async -> Void)?
    }

    private let state = Observed(State())

    public init() {}

    public var now: Instant { state.value.now }
    public var minimumResolution: Duration { .zero }
    public var elapsed: Duration { now.offset }

    /// When those who sleep now will wake, the first to wake first.
    public var sleepers: [Instant] { state.value.sleepers.values.map(\.deadline).sorted() }

    /// Waits until at least so many sleep on this clock.
    public func untilSleeping(atLeast count: Int = 1) async throws {
        try await state.until { $0.sleepers.count >= count }
    }

    /// Waits until nothing sleeps on this clock.
    public func untilNothingSleeps() async throws {
        try await state.until { $0.sleepers.isEmpty }
    }

    /// Moves the time on, stopping wherever a sleeper wakes, and lets all that follows settle.
    public func advance(by duration: Duration) async {
        await advance(to: now.advanced(by: duration))
    }

    /// Moves the time to this instant, stopping wherever a sleeper wakes, and lets all that follows settle.
    public func advance(to instant: Instant) async {
        await settle()
        while true {
            let woken = takeNext(upTo: instant)
            guard !woken.isEmpty else { break }
            woken.forEach { $0.wake.resume() }
            await settle()
        }
        state.update { $0.now = max($0.now, instant) }
        await settle()
    }

    /// The race between a sleeper that wakes and a cancellation at that very moment is won by either, and
    /// a test has to see the one where the sleeper wins.
    ///
    /// Has the action done when the next sleep is over, before that sleep returns: what the action cancels can no longer be
    /// stopped by the sleep, which returns as it would have without it.
    public func atNextWaking(_ action: @escaping @Sendable () async -> Void) {
        state.update { $0.atNextWaking = action }
    }

    /// A sleeper that wakes and something else at the same moment are two sides of a race, and a test says when each begins.
    ///
    /// Moves the time on to the next waking, and gives back what wakes those who sleep until then.
    public func holdNextWaking() -> @Sendable () -> Void {
        let woken = sleepers.first.map { takeNext(upTo: $0) } ?? []
        return { woken.forEach { $0.wake.resume() } }
    }

    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let id = state.update { state in
            state.count += 1
            return state.count
        }
        defer { state.update { _ = $0.cancelled.remove(id) } }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (wake: CheckedContinuation<Void, any Error>) in
                let result: Result<Void, any Error>? = state.update { state in
                    if state.cancelled.contains(id) { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers[id] = Sleeper(deadline: deadline, order: id, wake: wake)
                    return nil
                }
                if let result { wake.resume(with: result) }
            }
        } onCancel: {
            let sleeper = state.update { state in
                state.cancelled.insert(id)
                return state.sleepers.removeValue(forKey: id)
            }
            sleeper?.wake.resume(throwing: CancellationError())
        }
        let action = state.update { state in
            defer { state.atNextWaking = nil }
            return state.atNextWaking
        }
        await action?()
    }

    /// Moves the time to the next instant at which a sleeper wakes, and takes those out of the sleepers.
    private func takeNext(upTo instant: Instant) -> [Sleeper] {
        state.update { state in
            guard let next = state.sleepers.values.map(\.deadline).min(), next <= instant else { return [] }
            state.now = max(state.now, next)
            let woken = state.sleepers.filter { $0.value.deadline == next }
            for id in woken.keys { state.sleepers[id] = nil }
            return woken.values.sorted { $0.order < $1.order }
        }
    }
}
