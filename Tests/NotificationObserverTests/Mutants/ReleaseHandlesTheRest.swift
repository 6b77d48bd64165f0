// mutant: the release cancels the handler that runs, and handles what waits
// fails: NotificationObserverTests/droppingTheObserverCancelsTheHandler()
// hint: NotificationObserverTests/droppingTheObserverCancelsTheHandler() droppedCancels
import Combine
import Foundation

/// Handles the strings that are posted with a notification, one at a time, from `start()` to `stop()`.
public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private var task: Task<Void, Never>?
    private var subscription: AnyCancellable?
    private var finish: (() -> Void)?
    private let current = Current()

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
        subscription?.cancel()
        finish?()
        current.cancel()
    }

    /// Begins to listen.
    public func start() {
        guard task == nil else { return }
        let (texts, continuation) = AsyncStream.makeStream(of: String.self)
        finish = { continuation.finish() }
        subscription = center.publisher(for: name)
            .compactMap { $0.object as? String }
            .sink { continuation.yield($0) }
        task = Task { [handle, current] in
            for await text in texts {
                if Task.isCancelled { return }
                await current.run { await handle(text) }
            }
        }
    }

    /// Stops listening, and cancels the handler that runs.
    public func stop() {
        subscription = nil
        task?.cancel()
        task = nil
        current.cancel()
    }
}

/// The handler that runs.
private final class Current: @unchecked Sendable {
    private let lock = NSLock()
    private var task: Task<Void, Never>?

    func run(_ work: @escaping @Sendable () async -> Void) async {
        let task = Task { await work() }
        lock.withLock { self.task = task }
        await task.value
    }

    func cancel() { lock.withLock { task }?.cancel() }
}
