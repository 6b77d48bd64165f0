// right: an object that owns the task cancels it when it is released
private final class OwnedTask {
    private let task: Task<Void, Never>

    init(_ work: @escaping @Sendable () async -> Void) {
        task = Task { await work() }
    }

    deinit {
        task.cancel()
    }
}

public final class LoadingScreen {
    private let load: @Sendable () async -> Void
    private var loading: OwnedTask?

    public init(load: @escaping @Sendable () async -> Void) {
        self.load = load
    }

    public func open() {
        loading = OwnedTask(load)
    }

    public func close() {
        loading = nil
    }
}
