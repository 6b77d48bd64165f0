import Foundation

/// Work that must happen on a run loop's thread is scheduled on the run loop itself, in its default mode.
extension RunLoop: Scheduler {
    /// A moment as run loops count them: a date.
    public struct SchedulerTimeType: DateMoment {
        public var date: Date

        public init(_ date: Date) {
            self.date = date
        }

        public struct Stride: DateStride {
            public var magnitude: TimeInterval

            public init(_ timeInterval: TimeInterval) {
                magnitude = timeInterval
            }
        }
    }

    /// A run loop has nothing to choose for what is scheduled on it.
    public struct SchedulerOptions: Sendable {}

    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

    public var minimumTolerance: SchedulerTimeType.Stride { 0.0 }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        perform { action() }
        wake()
    }

    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        let timer = Timer(fire: date.date, interval: 0, repeats: false) { _ in action() }
        timer.tolerance = tolerance.timeInterval
        add(timer, forMode: .default)
        wake()
    }

    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let timer = Timer(fire: date.date, interval: interval.timeInterval, repeats: true) { _ in action() }
        timer.tolerance = tolerance.timeInterval
        add(timer, forMode: .default)
        wake()
        return AnyCancellable(timer.invalidate)
    }

    /// A run loop that sleeps does not look at what it is to do before something wakes it, and it may fall asleep right after
    /// work that has scheduled more work on it. The main one wakes for the main queue; Foundation has no way to wake another
    /// than a timer, which it may notice late.
    private func wake() {
        if self === RunLoop.main {
            DispatchQueue.main.async {}
        } else {
            add(Timer(fire: Date(), interval: 0, repeats: false) { _ in }, forMode: .default)
        }
    }
}
