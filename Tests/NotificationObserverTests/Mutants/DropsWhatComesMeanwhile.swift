// mutant: what comes while the handler is busy is dropped
// fails: NotificationObserverTests/whatComesWhileTheHandlerIsBusyComesNext()
// fails: NotificationObserverTests/aSecondStartChangesNothing()
// fails: NotificationObserverTests/whatTwoThreadsPostComesOneAfterTheOther()
// fails: NotificationObserverTests/aPostMayMeetStartAndStop()
// hint: NotificationObserverTests/whatComesWhileTheHandlerIsBusyComesNext() busy
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
        guard loop == nil else { return }
        waiting.append(text)
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
        guard let observation else { return }
        center.removeObserver(observation)
        self.observation = nil
        lock.lock()
        defer { lock.unlock() }
        waiting = []
        loop?.cancel()
        loop = nil
    }
}
