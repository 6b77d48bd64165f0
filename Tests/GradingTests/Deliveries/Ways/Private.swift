import Foundation

/// Delivers blocks one after another on a serial queue of its own.
final class Delivery: @unchecked Sendable {
    private let queue = DispatchQueue(label: "delivery")

    func callAsFunction(_ block: @escaping () -> Void) {
        queue.async(execute: DispatchWorkItem(block: block))
    }
}
