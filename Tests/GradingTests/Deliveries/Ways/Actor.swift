import Foundation

/// Delivers blocks one after another on an actor, in tasks of their own.
final class Delivery: @unchecked Sendable {
    private actor Line {
        func run(_ block: () -> Void) { block() }
    }

    private let line = Line()
    private let lock = NSLock()
    private var blocks: [() -> Void] = []

    func callAsFunction(_ block: @escaping () -> Void) {
        lock.lock()
        blocks.append(block)
        let isFirst = blocks.count == 1
        lock.unlock()
        if isFirst { Task { await line.run { self.next() } } }
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
        if isMore { Task { await line.run { self.next() } } }
    }
}
