// right: a pipeline whose `flatMap` takes one notification at a time, behind a buffer
import Combine
import Foundation

public final class NotificationObserver {
    private let center: NotificationCenter
    private let name: Notification.Name
    private let handle: @Sendable (String) async -> Void
    private var subscription: AnyCancellable?

    public init(
        center: NotificationCenter = .default, name: Notification.Name,
        handle: @escaping @Sendable (String) async -> Void
    ) {
        self.center = center
        self.name = name
        self.handle = handle
    }

    public func start() {
        guard subscription == nil else { return }
        subscription = center.publisher(for: name)
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
        subscription = nil
    }
}
