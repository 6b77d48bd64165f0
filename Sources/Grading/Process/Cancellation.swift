import Synchronization

/// Whether a grading is still wanted. A save that a newer one overtakes should not keep a core busy.
final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .relaxed) }

    func cancel() { flag.store(true, ordering: .relaxed) }
}
