// mutant: all observers share one loop
// fails: NotificationObserverXCTests/testTwoObserversHandleEverything
// hint: NotificationObserverXCTests/testTwoObserversHandleEverything two
import Foundation

public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    nonisolated(unsafe) private static var listening: (observation: any NSObjectProtocol, loop: Task<Void, Never>)?

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
        guard Self.listening == nil else { return }
        let (texts, waiting) = AsyncStream.makeStream(of: String.self)
        let observation = center.addObserver(forName: name, object: nil, queue: nil) { notification in
            if let text = notification.object as? String { waiting.yield(text) }
        }
        let loop = Task { [handle] in
            for await text in texts {
                if Task.isCancelled { return }
                await handle(text)
            }
        }
        Self.listening = (observation, loop)
    }

    public func stop() {
        guard let (observation, loop) = Self.listening else { return }
        Self.listening = nil
        center.removeObserver(observation)
        loop.cancel()
    }
}
