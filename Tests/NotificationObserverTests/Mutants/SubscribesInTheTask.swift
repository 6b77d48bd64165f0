// mutant: the task registers with the center
// fails: NotificationObserverTests/whatIsPostedRightAfterTheStartCounts()
// fails: NotificationObserverTests/whatCountsIsDecidedWhenItIsPosted()
// fails: NotificationObserverTests/aPostMayMeetStartAndStop()
// hint: NotificationObserverTests/whatIsPostedRightAfterTheStartCounts() atOnce
import Foundation

public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private var listening: Task<Void, Never>?

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
        guard listening == nil else { return }
        let (texts, waiting) = AsyncStream.makeStream(of: String.self)
        let loop = Task { [center, name, handle] in
            let observation = center.addObserver(forName: name, object: nil, queue: nil) { notification in
                if let text = notification.object as? String { waiting.yield(text) }
            }
            defer { center.removeObserver(observation) }
            for await text in texts {
                if Task.isCancelled { return }
                await handle(text)
            }
        }
        listening = loop
    }

    public func stop() {
        guard let loop = listening else { return }
        listening = nil
        loop.cancel()
    }
}
