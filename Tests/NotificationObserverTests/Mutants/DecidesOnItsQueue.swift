// mutant: listens from init on, and decides on a queue of its own what counts
// fails: NotificationObserverTests/whatCountsIsDecidedWhenItIsPosted()
// hint: NotificationObserverTests/whatCountsIsDecidedWhenItIsPosted() whileStopped
import Combine
import Dispatch
import Foundation

/// Handles the strings that are posted with a notification, one at a time, from `start()` to `stop()`.
public final class NotificationObserver {
    private let inbox: Inbox
    private let subscription: AnyCancellable

    /// - Parameters:
    ///   - center: Where the notifications are posted.
    ///   - name: The notifications to listen to.
    ///   - handle: What to do with the object of a notification, where it is a string.
    public init(
        center: NotificationCenter = .default, name: Notification.Name,
        handle: @escaping @Sendable (String) async -> Void
    ) {
        let inbox = Inbox(handle)
        self.inbox = inbox
        subscription = center.publisher(for: name)
            .compactMap { $0.object as? String }
            .receive(on: DispatchQueue(label: "NotificationObserver"))
            .sink { inbox.receive($0) }
    }

    deinit {
        subscription.cancel()
        inbox.close()
    }

    /// Begins to listen.
    public func start() {
        inbox.open()
    }

    /// Stops listening, and cancels the handler that runs.
    public func stop() {
        inbox.close()
    }
}

private final class Inbox: @unchecked Sendable {
    private let lock = NSLock()
    private let handle: @Sendable (String) async -> Void
    private var continuation: AsyncStream<String>.Continuation?
    private var task: Task<Void, Never>?

    init(_ handle: @escaping @Sendable (String) async -> Void) {
        self.handle = handle
    }

    func receive(_ text: String) {
        lock.lock()
        let current = continuation
        lock.unlock()
        current?.yield(text)
    }

    func open() {
        lock.lock()
        defer { lock.unlock() }
        guard continuation == nil else { return }
        let (texts, newContinuation) = AsyncStream<String>.makeStream()
        continuation = newContinuation
        task = Task { [handle] in
            for await text in texts {
                if Task.isCancelled { return }
                await handle(text)
            }
        }
    }

    func close() {
        lock.lock()
        let oldContinuation = continuation
        let oldTask = task
        continuation = nil
        task = nil
        lock.unlock()
        oldTask?.cancel()
        oldContinuation?.finish()
    }
}
