import Synchronization

/// Whether a grading is still wanted. A save that a newer one overtakes should not keep a core busy.
final class Abandonment: Sendable {
    private let happened = Atomic(false)

    var hasHappened: Bool { happened.load(ordering: .relaxed) }

    func happen() { happened.store(true, ordering: .relaxed) }
}
