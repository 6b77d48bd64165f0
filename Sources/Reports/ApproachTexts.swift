import Foundation
import Workbook

/// What each right answer of a kata trades, as `Approaches.xcstrings` has it in one language.
public struct ApproachTexts: Sendable {
    private let catalog: StringCatalog?

    /// A kata need not have the file.
    public init(contentsOf file: URL, language: Language) throws {
        catalog =
            FileManager.default.fileExists(atPath: file.path)
            ? try StringCatalog(contentsOf: file, language: language) : nil
    }

    /// What it is built on; `nil` where that is not said.
    public func title(of approach: String) -> String? { text("\(approach).title") }

    /// What is good about it, what it costs, and when to choose it: a line each.
    public func trade(of approach: String) -> [String] { text("\(approach).trade").map(TextStyle.lines(of:)) ?? [] }

    private func text(_ key: String) -> String? { catalog.flatMap { $0.has(key) ? $0.text(key) : nil } }
}
