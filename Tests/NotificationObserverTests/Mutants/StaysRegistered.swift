// mutant: never removes its block from the center, which keeps the handler
// fails: NotificationObserverTests/droppingTheObserverCancelsTheHandler()
// hint: NotificationObserverTests/droppingTheObserverCancelsTheHandler() released
import Foundation
import Synchronization

public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private var listening: (observation: any NSObjectProtocol, chain: Chain)?

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
        guard listening == nil else { return }
        let chain = Chain()
        let observation = center.addObserver(forName: name, object: nil, queue: nil) { [handle] notification in
            if let text = notification.object as? String { chain.add { await handle(text) } }
        }
        listening = (observation, chain)
    }

    public func stop() {
        guard let (_, chain) = listening else { return }
        listening = nil

        chain.cancel()
    }
}

private final class Chain: Sendable {
    private let state = Mutex<(tasks: [Int: Task<Void, Never>], last: Int, isOver: Bool)>(([:], 0, false))

    func add(_ operation: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            guard !state.isOver else { return }
            let before = state.tasks[state.last]
            state.last += 1
            state.tasks[state.last] = Task { [weak self, id = state.last] in
                await before?.value
                if !Task.isCancelled { await operation() }
                _ = self?.state.withLock { $0.tasks.removeValue(forKey: id) }
            }
        }
    }

    func cancel() {
        let tasks = state.withLock { state in
            state.isOver = true
            return state.tasks
        }
        tasks.values.forEach { $0.cancel() }
    }
}
