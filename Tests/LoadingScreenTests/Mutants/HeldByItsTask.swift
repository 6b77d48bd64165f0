// mutant: the task uses the screen, which is not released before the task ends
// fails: LoadingScreenXCTests/testReleasingTheScreenCancelsTheLoad
// hint: LoadingScreenXCTests/testReleasingTheScreenCancelsTheLoad release
public final class LoadingScreen {
    private let load: @Sendable () async -> Void
    private var loading: Task<Void, Never>?

    public init(load: @escaping @Sendable () async -> Void) {
        self.load = load
    }

    public func open() {
        loading = Task { await self.load() }
    }

    public func close() {
        loading?.cancel()
    }

    deinit {
        loading?.cancel()
    }
}
