// right: the loop runs on the main actor, and a serial queue fills its stream
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
        let queue = DispatchQueue(label: "notifications")
        let (texts, waiting) = AsyncStream.makeStream(of: String.self)
        let observation = center.addObserver(forName: name, object: nil, queue: nil) { notification in
            guard let text = notification.object as? String else { return }
            queue.async { waiting.yield(text) }
        }
        let loop = Task { @MainActor [handle] in
            for await text in texts where !Task.isCancelled { await handle(text) }
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
