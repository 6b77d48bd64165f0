// mutant: listens to the default center, whatever center it was given
// fails: NotificationObserverTests/theGivenCenterIsObserved()
// fails: NotificationObserverXCTests/testOtherNamesAreLeftAlone
// fails: NotificationObserverTests/otherObjectsAreLeftAlone()
// fails: NotificationObserverTests/notificationsAreHandledInOrder()
// fails: NotificationObserverTests/theSameStringTwiceIsHandledTwice()
// fails: NotificationObserverTests/anEmptyStringIsHandled()
// fails: NotificationObserverTests/postingDoesNotWaitForTheHandler()
// fails: NotificationObserverTests/onlyOneIsHandledAtATime()
// fails: NotificationObserverXCTests/testTwoObserversHandleEverything
// fails: NotificationObserverTests/nothingPostedBeforeTheStartIsHandled()
// fails: NotificationObserverTests/nothingPostedAfterTheStopIsHandled()
// fails: NotificationObserverTests/stoppingCancelsTheHandler()
// fails: NotificationObserverTests/whatIsPostedRightAfterTheStartCounts()
// fails: NotificationObserverTests/whatComesWhileTheHandlerIsBusyComesNext()
// fails: NotificationObserverTests/whatWaitsAtTheStopIsNotHandled()
// fails: NotificationObserverTests/whatIsPostedRightAfterTheStopDoesNotCount()
// fails: NotificationObserverTests/aSecondStartHandlesNothingTwice()
// fails: NotificationObserverTests/oneStopIsEnoughForTwoStarts()
// fails: NotificationObserverTests/aSecondStartLeavesTheHandlerAlone()
// fails: NotificationObserverTests/aSecondStartKeepsWhatWaits()
// fails: NotificationObserverXCTests/testItCanBeStartedAgain
// fails: NotificationObserverXCTests/testAStopWithoutAStartChangesNothing
// fails: NotificationObserverTests/whatWaitsAtTheStopIsNotHandledLater()
// fails: NotificationObserverTests/aStartRightAfterTheStopCounts()
// fails: NotificationObserverTests/whatTwoThreadsPostComesOneAfterTheOther()
// fails: NotificationObserverTests/whatIsPostedWhileStoppedNeverCounts()
// fails: NotificationObserverTests/whatCountsIsDecidedWhenItIsPosted()
// fails: NotificationObserverTests/aDroppedObserverHandlesNothing()
// fails: NotificationObserverTests/droppingTheObserverCancelsTheHandler()
// fails: NotificationObserverXCTests/testADroppedObserverReleasesItsHandler
// fails: NotificationObserverTests/whatIsPostedAsTheHandlerEndsIsHandled()
// fails: NotificationObserverTests/aPostMayMeetStartAndStop()
// fails: NotificationObserverTests/aHandlerMayEndDuringStopAndStart()
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
