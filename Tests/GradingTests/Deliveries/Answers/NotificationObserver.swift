import Foundation
import Synchronization

/// Handles the strings that are posted with a notification, one at a time, in the order in which they are posted.
///
/// It listens from `start()` to `stop()`, and no longer than it lives. Each handler is started by a `Delivery`.
public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private var listening: (observation: any NSObjectProtocol, session: ListeningSession)?

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

    /// Begins to listen. Has no effect while it listens already.
    public func start() {
        guard listening == nil else { return }
        let session = ListeningSession(handle: handle)
        let observation = center.addObserver(forName: name, object: nil, queue: nil) { notification in
            if let text = notification.object as? String { session.receive(text) }
        }
        listening = (observation, session)
    }

    /// Stops listening, cancels the handler that runs, and discards what waits for it.
    public func stop() {
        guard let (observation, session) = listening else { return }
        listening = nil
        center.removeObserver(observation)
        session.end()
    }
}

/// What is posted from one `start()` to the next `stop()`.
private final class ListeningSession: Sendable {
    private struct State {
        /// Nil as soon as it is over, so that what it captures does not wait for the last delivery.
        var handle: (@Sendable (String) async -> Void)?
        var waiting: [String] = []
        var isHandling = false
        var handler: Task<Void, Never>?
    }

    private let state: Mutex<State>
    private let deliver = Delivery()

    init(handle: @escaping @Sendable (String) async -> Void) {
        state = Mutex(State(handle: handle))
    }

    func receive(_ text: String) {
        let isCounted = state.withLock { state in
            guard state.handle != nil else { return false }
            state.waiting.append(text)
            return true
        }
        if isCounted {
            deliver { self.startNext() }
        }
    }

    func end() {
        let last = state.withLock { state in
            defer { state = State(handle: nil) }
            return state
        }
        last.handler?.cancel()
    }

    private func startNext() {
        state.withLock { state in
            guard let handle = state.handle, !state.isHandling, !state.waiting.isEmpty else { return }
            let text = state.waiting.removeFirst()
            state.isHandling = true
            state.handler = Task {
                // It may have been stopped before it began.
                if !Task.isCancelled { await handle(text) }
                self.deliver {
                    self.state.withLock { state in
                        state.isHandling = false
                        state.handler = nil
                    }
                    self.startNext()
                }
            }
        }
    }
}
