import Foundation

/// Delivers blocks one after another on the main queue.
final class Delivery: @unchecked Sendable {
    func callAsFunction(_ block: @escaping () -> Void) {
        DispatchQueue.main.async(execute: DispatchWorkItem(block: block))
    }
}
