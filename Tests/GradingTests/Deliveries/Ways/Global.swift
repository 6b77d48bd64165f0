import Foundation

/// Delivers blocks one after another: each on the global queue, where any thread may take it.
final class Delivery: @unchecked Sendable {
    private let lock = NSLock()
    private var blocks: [() -> Void] = []

    func callAsFunction(_ block: @escaping () -> Void) {
        lock.lock()
        blocks.append(block)
        let isFirst = blocks.count == 1
        lock.unlock()
        if isFirst { DispatchQueue.global().async { self.next() } }
    }

    private func next() {
        lock.lock()
        let block = blocks[0]
        lock.unlock()
        block()
        lock.lock()
        blocks.removeFirst()
        let isMore = !blocks.isEmpty
        lock.unlock()
        if isMore { DispatchQueue.global().async { self.next() } }
    }
}
