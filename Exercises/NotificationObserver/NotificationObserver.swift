import Combine
import Foundation

/// Handles the strings that are posted with a notification, one at a time, from `start()` to `stop()`.
public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void

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

    /// Begins to listen.
    public func start() {
        // Write this method.
    }

    /// Stops listening, and cancels the handler that runs.
    public func stop() {
        // Write this method.
    }
}
