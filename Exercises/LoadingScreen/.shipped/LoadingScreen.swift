/// A screen that loads its content while it is open.
public final class LoadingScreen {
    private let load: @Sendable () async -> Void

    public init(load: @escaping @Sendable () async -> Void) {
        self.load = load
    }

    /// Starts to load.
    public func open() {
        // Keep this task. It must not keep the screen.
        Task { await self.load() }
    }

    /// Stops loading.
    public func close() {
        // Cancel the task here, and when the screen is released.
    }
}
