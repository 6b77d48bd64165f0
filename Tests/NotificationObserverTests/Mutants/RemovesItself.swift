// mutant: removes itself from the center, which knows only the observation of the block
// fails: NotificationObserverTests/nothingPostedAfterTheStopIsHandled()
// fails: NotificationObserverTests/whatCountsIsDecidedWhenItIsPosted()
// fails: NotificationObserverTests/aSecondStartChangesNothing()
// fails: NotificationObserverXCTests/testItCanBeStartedAgain
// fails: NotificationObserverTests/whatWaitsAtTheStopIsNotHandled()
// fails: NotificationObserverTests/whatIsPostedRightAfterTheStartCounts()
// fails: NotificationObserverTests/aPostMayMeetStartAndStop()
// hint: NotificationObserverTests/nothingPostedAfterTheStopIsHandled() after
import Foundation

public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private let lock = NSLock()
    private var observation: (any NSObjectProtocol)?
    private var waiting: [String] = []
    private var loop: Task<Void, Never>?

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
        observation = center.addObserver(forName: name, object: nil, queue: nil) { [weak self] notification in
            if let text = notification.object as? String { self?.receive(text) }
        }
    }

    private func receive(_ text: String) {
        lock.lock()
        defer { lock.unlock() }
        waiting.append(text)
        guard loop == nil else { return }
        loop = Task { [weak self, handle] in
            while let text = self?.next() { await handle(text) }
        }
    }

    private func next() -> String? {
        lock.lock()
        defer { lock.unlock() }
        // A loop that was cancelled is not the one that is kept.
        if Task.isCancelled { return nil }
        if waiting.isEmpty { loop = nil }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }

    public func stop() {
        guard observation != nil else { return }
        center.removeObserver(self)
        self.observation = nil
        lock.lock()
        defer { lock.unlock() }
        waiting = []
        loop?.cancel()
        loop = nil
    }
}
