// mutant: receive(_:) of the session starts a worker for each string, even if one already works, so several strings are handled at a time
// fails: NotificationObserverTests/onlyOneIsHandledAtATime()
// fails: NotificationObserverTests/stoppingCancelsTheHandler()
// fails: NotificationObserverTests/whatComesWhileTheHandlerIsBusyComesNext()
// fails: NotificationObserverTests/whatWaitsAtTheStopIsNotHandled()
// fails: NotificationObserverTests/whatTwoThreadsPostComesOneAfterTheOther()
// fails: NotificationObserverTests/whatCountsIsDecidedWhenItIsPosted()
// fails: NotificationObserverTests/droppingTheObserverCancelsTheHandler()
// fails: NotificationObserverTests/aPostMayMeetStartAndStop()
// hint: NotificationObserverTests/onlyOneIsHandledAtATime() one.list
import Combine
import Foundation

/// What happens from one `start()` to the next `stop()`: a list of strings, and a worker while there is something to do.
private final class Session: Subscriber, @unchecked Sendable {
    typealias Input = String
    typealias Failure = Never

    private let lock = NSLock()
    private let handle: @Sendable (String) async -> Void
    private var subscription: (any Subscription)?
    private var waiting: [String] = []
    private var worker: Task<Void, Never>?
    private var isClosed = false

    init(handle: @escaping @Sendable (String) async -> Void) {
        self.handle = handle
    }

    func receive(subscription: any Subscription) {
        lock.lock()
        self.subscription = subscription
        lock.unlock()
        subscription.request(.unlimited)
    }

    func receive(_ text: String) -> Subscribers.Demand {
        lock.lock()
        defer { lock.unlock() }
        guard !isClosed else { return .none }
        waiting.append(text)
        worker = Task { await self.work() }
        return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}

    private func work() async {
        while let text = next() {
            await handle(text)
        }
    }

    private func next() -> String? {
        lock.lock()
        defer { lock.unlock() }
        if isClosed || waiting.isEmpty {
            worker = nil
            return nil
        }
        return waiting.removeFirst()
    }

    func close() {
        lock.lock()
        isClosed = true
        waiting = []
        let task = worker
        worker = nil
        let upstream = subscription
        subscription = nil
        lock.unlock()
        upstream?.cancel()
        task?.cancel()
    }
}

/// Handles the strings that are posted with a notification, one at a time, from `start()` to `stop()`.
public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private var session: Session?

    public init(
        center: NotificationCenter = .default, name: Notification.Name,
        handle: @escaping @Sendable (String) async -> Void
    ) {
        self.center = center
        self.name = name
        self.handle = handle
    }

    deinit {
        session?.close()
    }

    /// Begins to listen.
    public func start() {
        guard session == nil else { return }
        let session = Session(handle: handle)
        self.session = session
        center.publisher(for: name)
            .compactMap { $0.object as? String }
            .subscribe(session)
    }

    /// Stops listening, and cancels the handler that runs.
    public func stop() {
        session?.close()
        session = nil
    }
}
