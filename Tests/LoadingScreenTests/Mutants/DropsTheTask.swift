// mutant: `close` lets go of the task, and does not cancel it
// fails: LoadingScreenTests/closingCancelsTheLoad()
// hint: LoadingScreenTests/closingCancelsTheLoad() close
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
        loading = nil
    }

    deinit {
        loading?.cancel()
    }
}
