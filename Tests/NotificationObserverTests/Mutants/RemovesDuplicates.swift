// mutant: the same string twice in a row is handled once
// fails: NotificationObserverTests/everyStringIsHandled()
// hint: NotificationObserverTests/everyStringIsHandled() same
import Combine
import Foundation

/// Handles the strings that are posted with a notification, one at a time, from `start()` to `stop()`.
public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private var subscription: AnyCancellable?
    private var task: Task<Void, Never>?

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

    /// Begins to listen.
    public func start() {
        guard task == nil else { return }
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        subscription = center.publisher(for: name)
            .compactMap { $0.object as? String }
            .removeDuplicates()
            .sink { continuation.yield($0) }
        task = Task { [handle] in
            for await text in stream {
                if Task.isCancelled { return }
                await handle(text)
            }
        }
    }

    /// Stops listening, and cancels the handler that runs.
    public func stop() {
        subscription?.cancel()
        subscription = nil
        task?.cancel()
        task = nil
    }
}
