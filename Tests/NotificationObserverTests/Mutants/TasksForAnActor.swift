// mutant: a task for each notification puts it into an actor's list: the tasks may arrive in any order
// fails: NotificationObserverTests/whatComesWhileTheHandlerIsBusyComesNext()
// hint: NotificationObserverTests/whatComesWhileTheHandlerIsBusyComesNext() busy.order
import Foundation

public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private var listening: (observation: any NSObjectProtocol, worker: Worker)?

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
        let worker = Worker(handle: handle)
        let observation = center.addObserver(forName: name, object: nil, queue: nil) { notification in
            guard let text = notification.object as? String else { return }
            Task { await worker.add(text) }
        }
        listening = (observation, worker)
    }

    public func stop() {
        guard let (observation, worker) = listening else { return }
        listening = nil
        center.removeObserver(observation)
        Task { await worker.stop() }
    }
}

private actor Worker {
    private let handle: @Sendable (String) async -> Void
    private var waiting: [String] = []
    private var loop: Task<Void, Never>?
    private var isOver = false

    init(handle: @escaping @Sendable (String) async -> Void) {
        self.handle = handle
    }

    func add(_ text: String) {
        guard !isOver else { return }
        waiting.append(text)
        guard loop == nil else { return }
        loop = Task {
            while let text = next() { await handle(text) }
        }
    }

    private func next() -> String? {
        if waiting.isEmpty || isOver {
            loop = nil
            return nil
        }
        return waiting.removeFirst()
    }

    func stop() {
        isOver = true
        loop?.cancel()
    }
}
