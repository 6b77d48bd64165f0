/// Work that is no longer needed costs battery and money until it is cancelled, and nothing on the screen shows it.
///
/// An operation that runs until its task is cancelled, and lets the test wait for both its start and its cancellation.
///
///     let probe = KataSupport.CancellationProbe()
///     let task = Task { try await AsyncMerge.merge([{ try await probe.run() }]) }
///     try await probe.started()
///     task.cancel()
///     try await probe.cancelled()
public final class CancellationProbe: Sendable {
    private struct State {
        var starts = 0
        var cancellations = 0
    }

    private let state = Observed(State())
    private let end = Observed(false)

    public init() {}

    /// How many times the operation has been started.
    public var starts: Int { state.value.starts }
    /// How many of the running operations have been cancelled.
    public var cancellations: Int { state.value.cancellations }
    public var isCancelled: Bool { cancellations > 0 }

    /// The operation: waits until it is cancelled, and throws `CancellationError` then; returns once the test calls `finish()`.
    public func run() async throws {
        state.update { $0.starts += 1 }
        do {
            try await end.untilCancelled { $0 }
        } catch {
            state.update { $0.cancellations += 1 }
            throw error
        }
    }

    /// Lets the operation return.
    public func finish() {
        end.update { $0 = true }
    }

    /// Waits until the operation has been started so many times.
    public func started(_ times: Int = 1) async throws {
        try await state.until(showing: { "\($0.starts)/\(times)" }) { $0.starts >= times }
    }

    /// Waits until so many of the running operations have been cancelled.
    public func cancelled(_ times: Int = 1) async throws {
        try await state.until(for: .cancellation, showing: { "\($0.cancellations)/\(times)" }) {
            $0.cancellations >= times
        }
    }
}
