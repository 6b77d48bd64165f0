import Foundation
import Grading
import Reports
import Synchronization
import Workbook

/// How far long work is, a build as a rule: a bar in its line on standard error, where that is a terminal.
final class BuildBar: Sendable {
    private let console: Console
    private let strings: CommandStrings
    private let isShown = Mutex(false)
    /// Says what is being done for a kata.
    private let key: MessageKey

    init(_ context: CommandContext, _ key: MessageKey = .checkBuilding) {
        console = context.console
        strings = context.strings
        self.key = key
    }

    /// Draws the bar, or removes it when all is built.
    func show(_ kata: Kata, _ share: Double) {
        guard isatty(STDERR_FILENO) == 1 else { return }
        isShown.withLock { isShown in
            let width = console.errorColumns - 1
            if share >= 1 {
                if isShown { console.sayVerbatim("\r" + String(repeating: " ", count: width) + "\r") }
                isShown = false
                return
            }
            isShown = true
            let text = console.errors.folded(strings(key, .text(kata.kata)))
            let cells = min(30, width - CellWidth.of(text) - 1)
            let bar = cells < 5 ? "" : console.errors.bar(share, cells: cells) + " "
            console.sayVerbatim("\r" + (bar + text).truncated(toCells: width).padded(toCells: width) + "\r")
        }
    }
}
