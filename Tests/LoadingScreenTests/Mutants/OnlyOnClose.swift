// mutant: cancels in `close` only
// fails: LoadingScreenXCTests/testReleasingTheScreenCancelsTheLoad
// hint: LoadingScreenXCTests/testReleasingTheScreenCancelsTheLoad release
public final class LoadingScreen {
    private let load: @Sendable () async -> Void
    private var loading: Task<Void, Never>?

    public init(load: @escaping @Sendable () async -> Void) {
        self.load = load
    }

    public func open() {
        loading = Task { [load] in await load() }
    }

    public func close() {
        loading?.cancel()
    }
}
