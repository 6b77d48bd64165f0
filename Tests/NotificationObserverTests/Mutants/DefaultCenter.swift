// mutant: listens to the default center, whatever center it was given
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
// hint: NotificationObserverTests/theGivenCenterIsObserved() center
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
        self.center = .default
        self.name = name
        self.handle = handle
    }

    deinit {
        stop()
    }

    public func start() {
        guard listening == nil else { return }
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
        listening = (observation, loop)
    }

    public func stop() {
        guard let (observation, loop) = listening else { return }
        listening = nil
        center.removeObserver(observation)
        loop.cancel()
    }
}
