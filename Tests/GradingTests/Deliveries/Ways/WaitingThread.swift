import Foundation

/// Delivers blocks one after another on a thread of its own, which waits for the next one.
final class Delivery: @unchecked Sendable {
    private final class Line: @unchecked Sendable {
        let condition = NSCondition()
        var blocks: [() -> Void] = []
        var isOver = false

        func run() {
            while let block = next() { block() }
        }

        private func next() -> (() -> Void)? {
            condition.lock()
            defer { condition.unlock() }
            while blocks.isEmpty && !isOver { condition.wait() }
            return blocks.isEmpty ? nil : blocks.removeFirst()
        }
    }

    private let line = Line()

    init() {
        let line = line
        Thread { line.run() }.start()
    }

    func callAsFunction(_ block: @escaping () -> Void) {
        line.condition.lock()
        line.blocks.append(block)
        line.condition.signal()
        line.condition.unlock()
    }

    deinit {
        line.condition.lock()
        line.isOver = true
        line.condition.signal()
        line.condition.unlock()
    }
}
