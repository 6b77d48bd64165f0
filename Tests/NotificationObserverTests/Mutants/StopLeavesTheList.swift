// mutant: stop cancels the task, and the strings in the list are still handled
// fails: NotificationObserverTests/whatWaitsAtTheStopIsNotHandled()
// fails: NotificationObserverTests/whatCountsIsDecidedWhenItIsPosted()
// fails: NotificationObserverTests/droppingTheObserverCancelsTheHandler()
// hint: NotificationObserverTests/whatWaitsAtTheStopIsNotHandled() waits.list
import Combine
import Foundation

/// Handles the strings that are posted with a notification, one at a time, from `start()` to `stop()`.
public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private var session: Session?
    private var subscription: AnyCancellable?

    /// - Parameters:
    ///   - center: Where the notifications are posted.
    ///   - name: The notifications to listen to.
    ///   - handle: What to do with the object of a notification, where it is a string.
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

    /// Begins to listen.
    public func start() {
        guard session == nil else { return }
        let session = Session(handle: handle)
        self.session = session
        subscription = center.publisher(for: name)
            .compactMap { $0.object as? String }
            .sink { text in session.add(text) }
    }

    /// Stops listening, and cancels the handler that runs.
    public func stop() {
        session?.close()
        session = nil
        subscription?.cancel()
        subscription = nil
    }
}

/// What is posted between one `start()` and its `stop()`. A task exists only while there is something to handle.
private final class Session: @unchecked Sendable {
    private let lock = NSLock()
    private let handle: @Sendable (String) async -> Void
    private var isOpen = true
    private var waiting: [String] = []
    private var worker: Task<Void, Never>?

    init(handle: @escaping @Sendable (String) async -> Void) {
        self.handle = handle
    }

    func add(_ text: String) {
        lock.lock()
        defer { lock.unlock() }
        guard isOpen else { return }
        waiting.append(text)
        if worker == nil {
            worker = Task.detached { await self.work() }
        }
    }

    func close() {
        lock.lock()
        isOpen = false
        let worker = self.worker
        lock.unlock()
        worker?.cancel()
    }

    private func work() async {
        while let text = next() {
            await handle(text)
        }
    }

    private func next() -> String? {
        lock.lock()
        defer { lock.unlock() }
        guard !waiting.isEmpty else {
            worker = nil
            return nil
        }
        return waiting.removeFirst()
    }
}
