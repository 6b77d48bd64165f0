// mutant: the code of the migration guides: a task that loops over `values`
// fails: NotificationObserverTests/whatIsPostedRightAfterTheStartCounts()
// fails: NotificationObserverTests/whatComesWhileTheHandlerIsBusyComesNext()
// fails: NotificationObserverTests/aSecondStartChangesNothing()
// fails: NotificationObserverTests/whatTwoThreadsPostComesOneAfterTheOther()
// fails: NotificationObserverTests/whatCountsIsDecidedWhenItIsPosted()
// fails: NotificationObserverTests/aDroppedObserverHandlesNothing()
// fails: NotificationObserverTests/droppingTheObserverCancelsTheHandler()
// fails: NotificationObserverTests/aPostMayMeetStartAndStop()
// hint: NotificationObserverTests/whatIsPostedRightAfterTheStartCounts() atOnce
import Combine
import Foundation

public final class NotificationObserver {
    private let notificationPublisher: AnyPublisher<Notification, Never>
    private let handle: @Sendable (String) async -> Void
    private var task: Task<Void, Never>?

    public init(
        center: NotificationCenter = .default, name: Notification.Name,
        handle: @escaping @Sendable (String) async -> Void
    ) {
        self.handle = handle
        // Existing Combine Publisher
        notificationPublisher =
            center
            .publisher(for: name)
            .eraseToAnyPublisher()
    }

    public func start() {
        task = Task { await observeNotifications() }
    }

    public func stop() {
        task?.cancel()
    }

    // Consuming the Publisher with async/await
    private func observeNotifications() async {
        // .values converts the Publisher to AsyncSequence
        for await notification in notificationPublisher.values {
            // Process each notification
            if let text = notification.object as? String {
                await handle(text)
            }
        }
    }
}
