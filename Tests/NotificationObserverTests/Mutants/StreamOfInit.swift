// mutant: makes the stream once, in init: cancelling its loop finishes it for ever
// fails: NotificationObserverXCTests/testItCanBeStartedAgain
// fails: NotificationObserverTests/whatWaitsAtTheStopIsNotHandled()
// fails: NotificationObserverTests/whatIsPostedRightAfterTheStartCounts()
// fails: NotificationObserverTests/whatCountsIsDecidedWhenItIsPosted()
// fails: NotificationObserverTests/aPostMayMeetStartAndStop()
// hint: NotificationObserverXCTests/testItCanBeStartedAgain again
import Foundation

public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private let texts: AsyncStream<String>
    private let waiting: AsyncStream<String>.Continuation
    private var listening: (observation: any NSObjectProtocol, loop: Task<Void, Never>)?

    public init(
        center: NotificationCenter = .default, name: Notification.Name,
        handle: @escaping @Sendable (String) async -> Void
    ) {
        self.center = center
        self.name = name
        self.handle = handle
        (texts, waiting) = AsyncStream.makeStream(of: String.self)
    }

    deinit {
        stop()
    }

    public func start() {
        guard listening == nil else { return }
        let (texts, waiting) = (texts, waiting)
        let observation = center.addObserver(forName: name, object: nil, queue: nil) { notification in
            if let text = notification.object as? String { waiting.yield(text) }
        }
        let loop = Task { [handle] in
            for await text in texts {

                if Task.isCancelled { return }
                await handle(text)
            }
        }
        listening = (observation, loop)
    }

    public func stop() {
        guard let (observation, loop) = listening else { return }
        listening = nil
        center.removeObserver(observation)
        loop.cancel()
    }
}
