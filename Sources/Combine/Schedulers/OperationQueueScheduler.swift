import Dispatch
import Foundation

/// Work that must happen among a queue's operations is scheduled on the queue itself.
extension OperationQueue: Scheduler {
    /// A moment as operation queues count them: a date.
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

    /// An operation queue has nothing to choose for what is scheduled on it.
    public struct SchedulerOptions: Sendable {}

    public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

    public var minimumTolerance: SchedulerTimeType.Stride { 0.0 }

    public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        addOperation(BlockOperation { action() })
    }

    public func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        DispatchQueue.global().asyncAfter(deadline: date.deadline) {
            self.addOperation { action() }
        }
    }

    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let timer = DispatchSource.makeTimerSource(queue: .global())
        // What is already among the operations when the timer is cancelled is not to run any more.
        timer.setEventHandler {
            self.addOperation {
                if !timer.isCancelled { action() }
            }
        }
        timer.schedule(
            deadline: date.deadline, repeating: interval.timeInterval,
            leeway: .nanoseconds(Int(tolerance.timeInterval * 1_000_000_000)))
        timer.resume()
        return AnyCancellable(timer.cancel)
    }
}

extension OperationQueue.SchedulerTimeType {
    /// An operation queue has no timer: a dispatch queue's puts the operation on it.
    fileprivate var deadline: DispatchTime { .now() + Swift.max(0, date.timeIntervalSinceNow) }
}
