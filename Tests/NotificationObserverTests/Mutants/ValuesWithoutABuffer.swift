// mutant: makes the iterator of `values` in start, without a buffer
// fails: NotificationObserverTests/whatIsPostedRightAfterTheStartCounts()
// fails: NotificationObserverTests/whatComesWhileTheHandlerIsBusyComesNext()
// fails: NotificationObserverTests/aSecondStartChangesNothing()
// fails: NotificationObserverTests/whatTwoThreadsPostComesOneAfterTheOther()
// fails: NotificationObserverTests/whatCountsIsDecidedWhenItIsPosted()
// fails: NotificationObserverTests/aPostMayMeetStartAndStop()
// hint: NotificationObserverTests/whatIsPostedRightAfterTheStartCounts() atOnce
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

        var iterator = texts.values.makeAsyncIterator()
        loop = Task { [handle] in
            while let text = await iterator.next(), !Task.isCancelled {
                await handle(text)
            }
        }
    }

    public func stop() {
        loop?.cancel()
        loop = nil
    }
}
