import Dispatch
import Synchronization

/// Two threads that go at the same moment seldom come to the same place at the same moment: one of them has a longer way
/// there, in each answer another one.
///
/// Says how much later the first one goes than the second, or how much earlier, and is corrected from round to round by
/// which of them was later:
///
///     let distance = KataSupport.RaceDistance(step: 20, limits: -10_000...10_000)
///     try await KataSupport.Racers(2).race { thread in
///         for round in rounds {
///             …  // where the two meet
///             if thread == 0 { distance.waitIfFirst() } else { distance.waitIfSecond() }
///             …  // where they race
///             if thread == 0 { distance.change(isFirstLater: …) }
///         }
///     }
public final class RaceDistance: Sendable {
    private let nanoseconds = Atomic<Int>(0)
    private let step: Int
    private let limits: ClosedRange<Int>

    /// - Parameters:
    ///   - step: The nanoseconds by which it changes.
    ///   - limits: The nanoseconds that the first one may go later. Where they are negative, the second one goes later.
    public init(step: Int, limits: ClosedRange<Int>) {
        self.step = step
        self.limits = limits
    }

    /// Holds up the first one, where it goes later.
    public func waitIfFirst() { spin(nanoseconds: nanoseconds.load(ordering: .relaxed)) }

    /// Holds up the second one, where it goes later.
    public func waitIfSecond() { spin(nanoseconds: -nanoseconds.load(ordering: .relaxed)) }

    /// Brings the two closer to one another in the next round.
    public func change(isFirstLater: Bool) {
        let changed = nanoseconds.load(ordering: .relaxed) + (isFirstLater ? -step : step)
        nanoseconds.store(min(max(changed, limits.lowerBound), limits.upperBound), ordering: .relaxed)
    }
}

/// A thread that sleeps for a microsecond wakes up much later.
///
/// Holds up a racing thread for some nanoseconds without letting it sleep; for zero and less, not at all.
public func spin(nanoseconds: Int) {
    guard nanoseconds > 0 else { return }
    let end = DispatchTime.now().uptimeNanoseconds + UInt64(nanoseconds)
    while DispatchTime.now().uptimeNanoseconds < end {}
}
