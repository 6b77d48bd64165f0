// mutant: registers in init, so that what comes before the start waits
// fails: NotificationObserverTests/nothingPostedBeforeTheStartIsHandled()
// fails: NotificationObserverXCTests/testItCanBeStartedAgain
// fails: NotificationObserverTests/whatWaitsAtTheStopIsNotHandled()
// fails: NotificationObserverTests/whatIsPostedRightAfterTheStartCounts()
// fails: NotificationObserverTests/whatCountsIsDecidedWhenItIsPosted()
// fails: NotificationObserverTests/aPostMayMeetStartAndStop()
// hint: NotificationObserverTests/nothingPostedBeforeTheStartIsHandled() before
import Foundation

public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private let texts: AsyncStream<String>
    private let waiting: AsyncStream<String>.Continuation
    private let observation: any NSObjectProtocol
    private var listening: Task<Void, Never>?

    public init(
        center: NotificationCenter = .default, name: Notification.Name,
        handle: @escaping @Sendable (String) async -> Void
    ) {
        self.center = center
        self.name = name
        self.handle = handle
        (texts, waiting) = AsyncStream.makeStream(of: String.self)
        observation = center.addObserver(forName: name, object: nil, queue: nil) { [waiting] notification in
            if let text = notification.object as? String { waiting.yield(text) }
        }
    }

    deinit {
        stop()
        center.removeObserver(observation)
    }

    public func start() {
        guard listening == nil else { return }
        listening = Task { [handle, texts] in
            for await text in texts {
                if Task.isCancelled { return }
                await handle(text)
            }
        }

    }

    public func stop() {
        listening?.cancel()
        listening = nil
    }
}
