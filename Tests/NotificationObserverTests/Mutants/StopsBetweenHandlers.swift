// mutant: stops with a flag that is read between two handlers
// fails: NotificationObserverTests/stoppingCancelsTheHandler()
// fails: NotificationObserverTests/droppingTheObserverCancelsTheHandler()
// fails: NotificationObserverTests/aPostMayMeetStartAndStop()
// hint: NotificationObserverTests/stoppingCancelsTheHandler() cancels
import Foundation

public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private var listening: (observation: any NSObjectProtocol, isOver: Flag, waiting: AsyncStream<String>.Continuation)?

    private final class Flag: @unchecked Sendable {
        var isRaised = false
    }

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
        let observation = center.addObserver(forName: name, object: nil, queue: nil) { notification in
            if let text = notification.object as? String { waiting.yield(text) }
        }
        let isOver = Flag()
        Task { [handle] in
            for await text in texts {
                if isOver.isRaised { return }
                await handle(text)
            }
        }
        listening = (observation, isOver, waiting)
    }

    public func stop() {
        guard let (observation, isOver, waiting) = listening else { return }
        listening = nil
        center.removeObserver(observation)
        isOver.isRaised = true
        waiting.finish()
    }
}
