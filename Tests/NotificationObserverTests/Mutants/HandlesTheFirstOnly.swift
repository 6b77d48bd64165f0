// mutant: asks the iterator once
// fails: NotificationObserverTests/notificationsAreHandledInOrder()
// fails: NotificationObserverTests/everyStringIsHandled()
// fails: NotificationObserverXCTests/testTwoObserversHandleEverything
// fails: NotificationObserverTests/whatComesWhileTheHandlerIsBusyComesNext()
// fails: NotificationObserverTests/aSecondStartChangesNothing()
// fails: NotificationObserverTests/whatTwoThreadsPostComesOneAfterTheOther()
// fails: NotificationObserverTests/aPostMayMeetStartAndStop()
// hint: NotificationObserverTests/notificationsAreHandledInOrder() order
import Combine
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
        stop()
    }

    public func start() {
        guard loop == nil else { return }
        let texts = center.publisher(for: name)
            .compactMap { $0.object as? String }
            .buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)
        var iterator = texts.values.makeAsyncIterator()
        loop = Task { [handle] in
            if let text = await iterator.next(), !Task.isCancelled {
                await handle(text)
            }
        }
    }

    public func stop() {
        loop?.cancel()
        loop = nil
    }
}
