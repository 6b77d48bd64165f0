import Foundation
import Reports
import Storage
import Workbook

/// A right answer that a learner may compare with.
struct ShownAnswer: Sendable, Equatable {
    enum Kind: Sendable {
        /// What the usual guides show: it passes, and does not master the kata.
        case passing
        case model
        /// Right, in another style than the model answer.
        case approach
    }

    var kind: Kind
    /// The file's name without its ending: a learner asks for an approach by it.
    var name: String
    var file: URL
    /// Without the lines that tell `kata verify` what it is.
    var text: String
    /// What it is built on; `nil` where that is not said.
    var title: String?
    /// What is good about it, what it costs, and when to choose it.
    var trade: [String] = []

    var lineCount: Int { TextStyle.lines(of: text).count }
}

extension WorkbookSession {
    /// The model answer; `nil` where it cannot be read.
    func modelAnswer(_ kata: Kata) -> ShownAnswer? { answer(.model, workbook.modelAnswer(kata.kata), kata) }

    /// The answer that passes and leaves something to master; `nil` where the kata has none.
    func passingAnswer(_ kata: Kata) -> ShownAnswer? {
        answer(.passing, workbook.mutants(kata.kata).appendingPathComponent("Article.swift"), kata)
    }

    /// Whether there are right answers in other styles than the model answer's.
    func hasApproaches(_ kata: Kata) -> Bool { !WorkbookFolder.swiftFiles(in: workbook.approaches(kata.kata)).isEmpty }

    /// The shortest first.
    func approaches(_ kata: Kata) -> [ShownAnswer] {
        WorkbookFolder.swiftFiles(in: workbook.approaches(kata.kata)).compactMap { answer(.approach, $0, kata) }
            .sorted { ($0.lineCount, $0.name) < ($1.lineCount, $1.name) }
    }

    /// What who has mastered a kata compares: the model answer first.
    func comparedAnswers(_ kata: Kata) -> [ShownAnswer] {
        [modelAnswer(kata)].compactMap(\.self) + approaches(kata)
    }

    private func answer(_ kind: ShownAnswer.Kind, _ file: URL, _ kata: Kata) -> ShownAnswer? {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
        let name = file.deletingPathExtension().lastPathComponent
        let texts = try? ApproachTexts(contentsOf: workbook.approachTexts(kata.kata), language: strings.language)
        return ShownAnswer(
            kind: kind, name: name, file: file, text: Self.withoutHeader(text, of: kind), title: texts?.title(of: name),
            trade: texts?.trade(of: name) ?? [])
    }

    private static func withoutHeader(_ text: String, of kind: ShownAnswer.Kind) -> String {
        guard kind != .model else { return text }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.drop { $0.hasPrefix("//") }.drop { $0.isEmpty }.joined(separator: "\n")
    }

    /// How many tests of each theme the learner's best answer still fails.
    func openThemes(_ kata: Kata) -> [(theme: Theme, failing: Int)] {
        let failing = Set(progress.katas[kata.kata]?.best?.failing ?? [])
        return kata.themes.compactMap { theme in
            let count = kata.tests.count { $0.theme == theme && failing.contains($0.id) }
            return count > 0 ? (theme, count) : nil
        }
    }
}
