// mutant: the center keeps the observer alive
// fails: NotificationObserverTests/aDroppedObserverHandlesNothing()
// fails: NotificationObserverTests/droppingTheObserverCancelsTheHandler()
// hint: NotificationObserverTests/aDroppedObserverHandlesNothing() dropped.kept
import Foundation

public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private var listening: (observation: any NSObjectProtocol, loop: Task<Void, Never>)?

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
            if let text = self.text(of: notification) { waiting.yield(text) }
        }
        let loop = Task { [handle] in
            for await text in texts {
                if Task.isCancelled { return }
                await handle(text)
            }
        }
        listening = (observation, loop)
    }

    private func text(of notification: Notification) -> String? {
        notification.object as? String
    }

    public func stop() {
        guard let (observation, loop) = listening else { return }
        listening = nil
        center.removeObserver(observation)
        loop.cancel()
    }
}
