// mutant: starts a task for each notification
// fails: NotificationObserverTests/onlyOneIsHandledAtATime()
// fails: NotificationObserverTests/whatComesWhileTheHandlerIsBusyComesNext()
// fails: NotificationObserverTests/whatWaitsAtTheStopIsNotHandled()
// fails: NotificationObserverTests/whatTwoThreadsPostComesOneAfterTheOther()
// fails: NotificationObserverTests/whatCountsIsDecidedWhenItIsPosted()
// fails: NotificationObserverTests/droppingTheObserverCancelsTheHandler()
// fails: NotificationObserverTests/aPostMayMeetStartAndStop()
// hint: NotificationObserverTests/onlyOneIsHandledAtATime() one
import Foundation

public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private var observation: (any NSObjectProtocol)?
    private var tasks: [Task<Void, Never>] = []
    private let lock = NSLock()

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
        observation = center.addObserver(forName: name, object: nil, queue: nil) { [weak self, handle] notification in
            guard let text = notification.object as? String, let self else { return }
            self.lock.withLock { self.tasks.append(Task { await handle(text) }) }
        }
    }

    public func stop() {
        guard let observation else { return }
        center.removeObserver(observation)
        self.observation = nil
        lock.withLock {
            for task in tasks { task.cancel() }
            tasks = []
        }
    }
}
