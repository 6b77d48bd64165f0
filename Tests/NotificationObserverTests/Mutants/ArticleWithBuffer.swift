// mutant: the code of the article: a task that loops over `values` behind a buffer for ten
// fails: NotificationObserverTests/whatIsPostedRightAfterTheStartCounts()
// fails: NotificationObserverTests/whatComesWhileTheHandlerIsBusyComesNext()
// fails: NotificationObserverTests/aSecondStartChangesNothing()
// fails: NotificationObserverTests/whatCountsIsDecidedWhenItIsPosted()
// fails: NotificationObserverTests/aDroppedObserverHandlesNothing()
// fails: NotificationObserverTests/droppingTheObserverCancelsTheHandler()
// fails: NotificationObserverTests/aPostMayMeetStartAndStop()
// hint: NotificationObserverTests/whatIsPostedRightAfterTheStartCounts() atOnce
import Combine
import Foundation

public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private var task: Task<Void, Never>?

    public init(
        center: NotificationCenter = .default, name: Notification.Name,
        handle: @escaping @Sendable (String) async -> Void
    ) {
        self.center = center
        self.name = name
        self.handle = handle
    }

    public func start() {
        let publisher = center.publisher(for: name)
            .buffer(size: 10, prefetch: .keepFull, whenFull: .dropOldest)
        task = Task {
            for await value in publisher.values {
                if let text = value.object as? String {
                    await self.handle(text)
                }
            }
        }
    }

    public func stop() {
        task?.cancel()
    }
}
