/// A screen that loads its content while it is open.
public final class LoadingScreen {
    private let load: @Sendable () async -> Void
    private var loading: Task<Void, Never>?

    public init(load: @escaping @Sendable () async -> Void) {
        self.load = load
    }

    /// Starts to load.
    public func open() {
        // The task captures the function and not the screen, which can be released meanwhile.
        loading = Task { [load] in await load() }
    }

    /// Stops loading.
    public func close() {
        loading?.cancel()
    }

    deinit {
        loading?.cancel()
    }
}
