// right: a stream that registers when it is made and unregisters when it ends; stopping only cancels the task
import Foundation

public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private var loop: Task<Void, Never>?

    public init(
        center: NotificationCenter = .default, name: Notification.Name,
        handle: @escaping @Sendable (String) async -> Void
    ) {
        self.center = center
        self.name = name
        self.handle = handle
    }

    deinit {
        loop?.cancel()
    }

    public func start() {
        guard loop == nil else { return }
        let texts = AsyncStream<String> { [center, name] continuation in
            nonisolated(unsafe) let observation = center.addObserver(forName: name, object: nil, queue: nil) {
                if let text = $0.object as? String { continuation.yield(text) }
            }
            continuation.onTermination = { _ in center.removeObserver(observation) }
        }
        loop = Task { [handle] in
            for await text in texts where !Task.isCancelled { await handle(text) }
        }
    }

    public func stop() {
        loop?.cancel()
        loop = nil
    }
}
