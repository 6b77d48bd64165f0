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
        addOperation(TimedOperation(at: date, action))
    }

    public func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        let repetition = Repetition(on: self, every: interval, action)
        repetition.add(at: date)
        return AnyCancellable(repetition.cancel)
    }
}

/// Work for a later moment: it is among the queue's operations at once, and ready when its time has come.
private final class TimedOperation: Operation, Cancellable, @unchecked Sendable {  // what changes is under the lock
    private let lock = Lock()
    private var isDue = false
    private var action: (() -> Void)?

    init(at date: OperationQueue.SchedulerTimeType, _ action: @escaping () -> Void) {
        self.action = action
        super.init()
        // An operation queue has no timer.
        let seconds = Swift.max(0, date.date.timeIntervalSinceNow)
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { self.becomeReady() }
    }

    override var isReady: Bool { lock { isDue } && super.isReady }

    override func main() {
        let action = lock { self.action.take() }
        action?()
    }

    override func cancel() {
        let action = lock { self.action.take() }
        withExtendedLifetime(action) { super.cancel() }
        becomeReady()
    }

    private func becomeReady() {
        willChangeValue(for: \.isReady)
        lock { isDue = true }
        didChangeValue(for: \.isReady)
    }
}

/// Work that is done again and again: one operation for each time.
private final class Repetition: @unchecked Sendable {  // what changes is under the lock
    private let lock = Lock()
    private let queue: OperationQueue
    private let interval: OperationQueue.SchedulerTimeType.Stride
    private var action: (() -> Void)?
    private var next: TimedOperation?

    init(
        on queue: OperationQueue, every interval: OperationQueue.SchedulerTimeType.Stride,
        _ action: @escaping () -> Void
    ) {
        self.queue = queue
        self.interval = interval
        self.action = action
    }

    func add(at date: OperationQueue.SchedulerTimeType) {
        let operation = TimedOperation(at: date) { self.run(at: date) }
        let isWanted = lock {
            if action != nil { next = operation }
            return action != nil
        }
        if isWanted { queue.addOperation(operation) }
    }

    private func run(at date: OperationQueue.SchedulerTimeType) {
        guard let action = lock({ self.action }) else { return }
        // Times that were missed are left out.
        add(at: Swift.max(date.advanced(by: interval), queue.now))
        action()
    }

    func cancel() {
        let (action, next) = lock { (self.action.take(), self.next.take()) }
        withExtendedLifetime(action) { next?.cancel() }
    }
}
