// mutant: listens all the time, and looks at a flag when a string's turn comes
// fails: NotificationObserverTests/whatCountsIsDecidedWhenItIsPosted()
// hint: NotificationObserverTests/whatCountsIsDecidedWhenItIsPosted() whileStopped
import Foundation

public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private let state = State()
    private var listening: (observation: any NSObjectProtocol, loop: Task<Void, Never>)?

    private final class State: @unchecked Sendable {
        private let lock = NSLock()
        private var isListening = false
        private var handler: Task<Void, Never>?

        func listen() {
            lock.withLock { isListening = true }
        }

        func stop() {
            lock.withLock {
                isListening = false
                handler?.cancel()
            }
        }

        func task(_ work: @escaping @Sendable () async -> Void) -> Task<Void, Never>? {
            lock.withLock {
                guard isListening else { return nil }
                handler = Task { await work() }
                return handler
            }
        }
    }

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
        guard let (observation, loop) = listening else { return }
        center.removeObserver(observation)
        loop.cancel()
    }

    public func start() {
        state.listen()
        guard listening == nil else { return }
        let (texts, waiting) = AsyncStream.makeStream(of: String.self)
        let observation = center.addObserver(forName: name, object: nil, queue: nil) { notification in
            if let text = notification.object as? String { waiting.yield(text) }
        }
        let loop = Task { [state, handle] in
            for await text in texts {
                await state.task { await handle(text) }?.value
            }
        }
        listening = (observation, loop)
    }

    public func stop() {
        state.stop()
    }
}
