// mutant: makes whoever posts wait until the handler has returned
// fails: NotificationObserverTests/postingDoesNotWaitForTheHandler()
// fails: NotificationObserverTests/whatComesWhileTheHandlerIsBusyComesNext()
// fails: NotificationObserverTests/whatWaitsAtTheStopIsNotHandled()
// fails: NotificationObserverTests/whatTwoThreadsPostComesOneAfterTheOther()
// fails: NotificationObserverTests/whatCountsIsDecidedWhenItIsPosted()
// fails: NotificationObserverTests/aPostMayMeetStartAndStop()
// hint: NotificationObserverTests/postingDoesNotWaitForTheHandler() blocks
import Foundation

public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private var observation: (any NSObjectProtocol)?
    private let lock = NSLock()
    private let running = Running()

    public init(
        center: NotificationCenter = .default, name: Notification.Name,
        handle: @escaping @Sendable (String) async -> Void
    ) {
        self.center = center
        self.name = name
        self.handle = handle
    }

    deinit {
        stop()
    }

    public func start() {
        guard observation == nil else { return }
        observation = center.addObserver(forName: name, object: nil, queue: nil) { [lock, running, handle] notification in
            guard let text = notification.object as? String else { return }
            lock.lock()
            defer { lock.unlock() }
            let done = DispatchSemaphore(value: 0)
            let task = Task {
                await handle(text)
                done.signal()
            }
            running.task = task
            done.wait()
        }
    }

    public func stop() {
        guard let observation else { return }
        center.removeObserver(observation)
        self.observation = nil
        running.task?.cancel()
    }
}

private final class Running: @unchecked Sendable {
    var task: Task<Void, Never>?
}
