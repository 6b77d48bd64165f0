// mutant: does not keep the subscription
// fails: NotificationObserverTests/theGivenCenterIsObserved()
// fails: NotificationObserverXCTests/testOtherNamesAreLeftAlone
// fails: NotificationObserverTests/otherObjectsAreLeftAlone()
// fails: NotificationObserverTests/notificationsAreHandledInOrder()
// fails: NotificationObserverTests/everyStringIsHandled()
// fails: NotificationObserverTests/postingDoesNotWaitForTheHandler()
// fails: NotificationObserverTests/onlyOneIsHandledAtATime()
// fails: NotificationObserverXCTests/testTwoObserversHandleEverything
// fails: NotificationObserverTests/nothingPostedBeforeTheStartIsHandled()
// fails: NotificationObserverTests/nothingPostedAfterTheStopIsHandled()
// fails: NotificationObserverTests/stoppingCancelsTheHandler()
// fails: NotificationObserverTests/whatIsPostedRightAfterTheStartCounts()
// fails: NotificationObserverTests/whatComesWhileTheHandlerIsBusyComesNext()
// fails: NotificationObserverTests/whatWaitsAtTheStopIsNotHandled()
// fails: NotificationObserverTests/whatCountsIsDecidedWhenItIsPosted()
// fails: NotificationObserverTests/aSecondStartChangesNothing()
// fails: NotificationObserverXCTests/testItCanBeStartedAgain
// fails: NotificationObserverTests/whatTwoThreadsPostComesOneAfterTheOther()
// fails: NotificationObserverTests/aDroppedObserverHandlesNothing()
// fails: NotificationObserverTests/droppingTheObserverCancelsTheHandler()
// fails: NotificationObserverTests/aPostMayMeetStartAndStop()
// hint: NotificationObserverTests/theGivenCenterIsObserved() start
import Combine
import Foundation

public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private var isListening = false

    public init(
        center: NotificationCenter = .default, name: Notification.Name,
        handle: @escaping @Sendable (String) async -> Void
    ) {
        self.center = center
        self.name = name
        self.handle = handle
    }

    public func start() {
        guard !isListening else { return }
        isListening = true
        _ = center.publisher(for: name)
            .compactMap { $0.object as? String }
            .buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)
            .flatMap(maxPublishers: .max(1)) { [handle] text in
                Deferred {
                    let done = PassthroughSubject<Never, Never>()
                    let task = Task {
                        await handle(text)
                        done.send(completion: .finished)
                    }
                    return done.handleEvents(receiveCancel: { task.cancel() })
                }
            }
            .sink { _ in }
    }

    public func stop() {
        isListening = false
    }
}
