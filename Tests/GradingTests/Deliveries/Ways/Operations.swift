import Foundation

/// Delivers blocks one after another as operations.
final class Delivery: @unchecked Sendable {
    private let queue = OperationQueue()

    init() {
        queue.maxConcurrentOperationCount = 1
    }

    func callAsFunction(_ block: @escaping () -> Void) {
        queue.addOperation(BlockOperation(block: block))
    }
}
