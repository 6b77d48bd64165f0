// mutant: an actor is to handle one string at a time, but an actor is free at each `await`
// fails: NotificationObserverTests/onlyOneIsHandledAtATime()
// fails: NotificationObserverTests/whatComesWhileTheHandlerIsBusyComesNext()
// fails: NotificationObserverTests/whatWaitsAtTheStopIsNotHandled()
// fails: NotificationObserverTests/whatTwoThreadsPostComesOneAfterTheOther()
// fails: NotificationObserverTests/whatCountsIsDecidedWhenItIsPosted()
// fails: NotificationObserverTests/droppingTheObserverCancelsTheHandler()
// fails: NotificationObserverTests/aPostMayMeetStartAndStop()
// hint: NotificationObserverTests/onlyOneIsHandledAtATime() one.actor
import Foundation

/// Handles the strings that are posted with a notification, one at a time, in the order in which they are posted.
///
/// It listens from `start()` to `stop()`, and no longer than it lives.
public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private var listening: (observation: any NSObjectProtocol, loop: Task<Void, Never>)?

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

    /// Begins to listen. Has no effect while it listens already.
    public func start() {
        guard listening == nil else { return }
        let (texts, waiting) = AsyncStream.makeStream(of: String.self)
        // Here and not in the task, which runs later: what is posted from now on waits in the stream.
        let observation = center.addObserver(forName: name, object: nil, queue: nil) { notification in
            if let text = notification.object as? String { waiting.yield(text) }
        }
        // The loop must not know `self`: it ends only when it is cancelled, and a task keeps what it knows until it ends.
        let loop = Task { [worker = Worker(handle: handle)] in
            await withDiscardingTaskGroup { group in
                for await text in texts {
                    // Cancelling ends the stream, but not before what it still holds has been given out.
                    if Task.isCancelled { return }
                    group.addTask { await worker.work(on: text) }
                }
            }
        }
        listening = (observation, loop)
    }

    /// Stops listening, cancels the handler that runs, and discards what waits for it.
    public func stop() {
        guard let (observation, loop) = listening else { return }
        listening = nil
        center.removeObserver(observation)
        loop.cancel()
    }
}

/// Handles one string after the other.
private actor Worker {
    private let handle: @Sendable (String) async -> Void

    init(handle: @escaping @Sendable (String) async -> Void) {
        self.handle = handle
    }

    func work(on text: String) async {
        if Task.isCancelled { return }
        await handle(text)
    }
}
