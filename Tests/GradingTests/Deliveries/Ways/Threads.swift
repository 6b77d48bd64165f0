import Foundation

/// Delivers blocks one after another: each on a thread that is started for it.
final class Delivery: @unchecked Sendable {
    private let lock = NSLock()
    private var blocks: [() -> Void] = []

    func callAsFunction(_ block: @escaping () -> Void) {
        lock.lock()
        blocks.append(block)
        let isFirst = blocks.count == 1
        lock.unlock()
        if isFirst { Thread { self.next() }.start() }
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
        if isMore { Thread { self.next() }.start() }
    }
}
