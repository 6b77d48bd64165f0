import Foundation
import Workbook

/// What holds of the texts of a kata: complete in every language, with the same code, and no answer before the last hint.
extension KataFiles {
    func shortcomingsOfTexts() -> [Shortcoming] {
        let keys = Set(textKeys)
        return shortcomings(of: catalog, keys: keys) + shortcomingsOfPhase() + shortcomingsOfHints(keys)
            + shortcomingsOfBriefs() + shortcomingsOfInterface() + shortcomingsOfApproaches()
            + shortcomingsOfInterviewAnswers()
            + toDos(in: briefs.map(\.file) + suite + mutants + [modelAnswer])
    }

    /// Every text that the kata needs. The levels that a chosen hint does not have are those of the test's own hint.
    private var textKeys: [String] {
        let own = kata.tests.map(\.hint).flatMap { ["\($0).title"] + KataTest.levelKeys(of: $0) }
        let english = englishTexts
        let chosen = kata.tests.flatMap(\.hints).map(\.hint).filter { !HintRule.isGeneral($0) }.flatMap { hint in
            let levels = KataTest.levelKeys(of: hint)
            let present = levels.filter { english?.has($0) == true }
            return present.isEmpty ? Array(levels.prefix(1)) : present
        }
        return own + chosen + ["kata.achieved", "kata.mastering"]
    }

    /// The kata's texts in English, where they can be read.
    var englishTexts: StringCatalog? {
        catalog.text.flatMap { try? StringCatalog(Data($0.utf8), language: .english) }
    }

    private func shortcomings(of catalog: File, keys: Set<String>) -> [Shortcoming] {
        guard let text = catalog.text else { return [] }
        do {
            let review = try CatalogReview(Data(text.utf8), keys: keys, in: languages)
            return shortcomings(review.findings, catalog.path)
        } catch {
            return [shortcoming(.catalogUnreadable, catalog.path, "\(error)")]
        }
    }

    /// One sentence for all texts of which the same is to be said.
    private func shortcomings(_ findings: [CatalogReview.Finding], _ path: String) -> [Shortcoming] {
        var missing: [String] = []
        var notUsed: [String] = []
        var notTranslated: [Language: [String]] = [:]
        var others: [Shortcoming] = []
        for finding in findings {
            switch finding {
            case .missing(let key): missing.append(key)
            case .notUsed(let key): notUsed.append(key)
            case .notTranslated(let key, let language): notTranslated[language, default: []].append(key)
            case .malformed(let key, let language):
                others.append(shortcoming(.textMalformed, path, key, language.code))
            case .empty(let key, let language): others.append(shortcoming(.textEmpty, path, key, language.code))
            case .placeholders(let key, let language):
                others.append(shortcoming(.textPlaceholders, path, key, language.code))
            case .plural(let key, let language, let needed):
                others.append(shortcoming(.textPlural, path, key, language.code, needed.map(\.rawValue).listed))
            }
        }
        return (missing.isEmpty ? [] : [shortcoming(.textsMissing, path, missing.listed)])
            + (notUsed.isEmpty ? [] : [shortcoming(.textsNotUsed, path, notUsed.listed)])
            + languages.compactMap { language in
                notTranslated[language].map { shortcoming(.textsNotTranslated, path, language.code, $0.listed) }
            } + others
    }

    /// A workbook without titles of phases shows their numbers.
    private func shortcomingsOfPhase() -> [Shortcoming] {
        guard let text = phases.text else { return [] }
        do {
            let key = "phase.\(kata.phase)"
            let review = try CatalogReview(Data(text.utf8), keys: [key], in: languages)
            // The other phases are those of other katas.
            let own = review.findings.filter { if case .notUsed = $0 { false } else { true } }
            return shortcomings(own, phases.path)
        } catch {
            return [shortcoming(.catalogUnreadable, phases.path, "\(error)")]
        }
    }

    // MARK: After the work

    private func shortcomingsOfApproaches() -> [Shortcoming] {
        guard approachTexts.text != nil || !approaches.isEmpty else { return [] }
        guard approachTexts.text != nil else { return [shortcoming(.kataFileMissing, approachTexts.path)] }
        let names = [kata.kata] + approaches.map(\.name)
        return shortcomings(of: approachTexts, keys: Set(names.flatMap { ["\($0).title", "\($0).trade"] }))
    }

    /// A kata need not have answers to the questions of its brief; where it has, they are in every language.
    private func shortcomingsOfInterviewAnswers() -> [Shortcoming] {
        guard let english = interviewAnswers.first(where: { $0.language == .english })?.file, let text = english.text
        else { return [] }
        let questions = InterviewAnswers(text).questions
        return interviewAnswers.compactMap { answers in
            guard let text = answers.file.text else { return shortcoming(.kataFileMissing, answers.file.path) }
            let own = InterviewAnswers(text).questions
            guard own.map(\.points.count) != questions.map(\.points.count) else { return nil }
            return shortcoming(.interviewAnswersDiffer, answers.file.path, english.path)
        }
    }

    // MARK: Code in texts

    private func shortcomingsOfBriefs() -> [Shortcoming] {
        guard let english = briefs.first(where: { $0.language == .english })?.file, let source = english.text else {
            return []
        }
        let code = MarkdownCode(source).blocks
        return briefs.compactMap { brief in
            guard let text = brief.file.text else { return nil }
            let own = MarkdownCode(text).blocks
            guard own == code else {
                let first = zip(own, code).prefix { $0 == $1 }.count + 1
                return shortcoming(.briefCode, brief.file.path, english.path, "\(first)")
            }
            // What is still to be translated says so itself.
            if brief.language == .english || text.contains("TODO") { return nil }
            let (prose, englishProse) = (BriefProse(text), BriefProse(source))
            if prose.headings != englishProse.headings {
                let (count, all) = (prose.headings.count, englishProse.headings.count)
                return shortcoming(.briefHeadings, brief.file.path, english.path, "\(count)", "\(all)")
            }
            return prose.isMostly(englishProse)
                ? shortcoming(.briefNotTranslated, brief.file.path, english.path) : nil
        }
    }

    private func shortcomingsOfHints(_ keys: Set<String>) -> [Shortcoming] {
        guard let text = catalog.text else { return [] }
        let catalogs = languages.compactMap { try? StringCatalog(Data(text.utf8), language: $0) }
        guard let english = catalogs.first(where: { $0.language == .english }) else { return [] }
        let answer = AnswerCode(
            answer: modelAnswer.text ?? "",
            given: (stub.text ?? "") + kata.interface.joined(separator: "\n")
                + (briefs.first { $0.language == .english }?.file.text ?? ""))
        var found: [Shortcoming] = []
        for key in keys.sorted() where english.has(key) {
            let code = MarkdownCode(english.text(key)).blocks
            for catalog in catalogs where !catalog.untranslated.contains(key) {
                let own = MarkdownCode(catalog.text(key))
                let language = catalog.language.code
                if own.blocks != code { found.append(shortcoming(.textCode, self.catalog.path, key, language)) }
                guard !key.hasSuffix(".\(KataTest.hintLevels)"), !key.hasPrefix("kata.") else { continue }
                if let shown = own.fenced.first?.joined(separator: "\n") ?? own.spans.first(where: answer.isShown) {
                    found.append(shortcoming(.hintShowsAnswer, self.catalog.path, key, language, shown))
                }
            }
        }
        return found
    }

    // MARK: What is still to be done

    /// The lines with `TODO` in files that learners do not fill in.
    private func toDos(in files: [File]) -> [Shortcoming] {
        files.flatMap { file in
            (file.text ?? "").split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap {
                number, line in
                guard let mark = line.firstRange(of: "TODO") else { return nil }
                let words = line[mark.upperBound...].drop { $0 == ":" || $0 == " " }
                let text = words.replacing(/\s*-->.*/, with: "")
                return shortcoming(.toDo, file.path, "\(number + 1)", String(text))
            }
        }
    }
}

/// The code in a Markdown text. Comments are prose and are translated, so they do not count.
struct MarkdownCode: Equatable {
    /// The lines of each block between fences.
    private(set) var fenced: [[String]] = []
    /// Fenced blocks and indented ones, in their order.
    private(set) var blocks: [[String]] = []
    /// What stands between backticks.
    private(set) var spans: [String] = []

    init(_ text: String) {
        var fence: [String]?
        // A drawing has words, which are translated.
        var isDrawing = false
        var indented: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed.hasPrefix("```") {
                if let code = fence.map(Self.lines), !isDrawing {
                    fenced.append(code)
                    blocks.append(code)
                }
                fence = fence == nil ? [] : nil
                isDrawing = trimmed == "```text"
            } else if fence != nil {
                fence?.append(String(line))
            } else if line.hasPrefix("    ") {
                indented.append(String(line))
            } else {
                if !indented.isEmpty { blocks.append(Self.lines(indented)) }
                indented = []
                spans += Self.spans(line)
            }
        }
        if !indented.isEmpty { blocks.append(Self.lines(indented)) }
    }

    /// A backtick that has no second one on its line begins nothing.
    private static func spans(_ line: Substring) -> [String] {
        guard line.utf8.contains(UInt8(ascii: "`")) else { return [] }
        let pieces = line.replacing("``", with: "`").split(separator: "`", omittingEmptySubsequences: false)
        return stride(from: 1, to: pieces.count - 1, by: 2).map { String(pieces[$0]) }
    }

    private static func lines(_ lines: [String]) -> [String] {
        SwiftText(lines.joined(separator: "\n")).withoutComments.split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
}

/// What a brief has besides code.
struct BriefProse {
    /// How deep each heading is.
    private(set) var headings: [Int] = []
    /// Lines of three words and more: shorter ones may be names, which are the same in every language.
    private var lines: [Substring] = []

    init(_ text: String) {
        var isCode = false
        for line in text.split(separator: "\n") {
            if line.hasPrefix("```") {
                isCode.toggle()
            } else if !isCode, line.hasPrefix("#") {
                headings.append(line.prefix { $0 == "#" }.count)
            } else if !isCode, !line.hasPrefix("    "), line.split(separator: " ").count > 2 {
                lines.append(line)
            }
        }
    }

    func isMostly(_ other: BriefProse) -> Bool {
        let known = Set(other.lines)
        return lines.count { known.contains($0) } * 2 > lines.count
    }
}

/// What a hint would give away.
struct AnswerCode {
    private let answer: String
    private let lines: Set<String>
    private let given: String

    /// - Parameter given: what the learner has been told already.
    init(answer: String, given: String) {
        let code = SwiftText(answer).withoutComments
        self.answer = Self.bare(code)
        lines = Set(code.split(separator: "\n").map { Self.bare(String($0)) })
        self.given = Self.bare(given)
    }

    /// Whether the code is a line of the answer, or three words of it and more, that the learner has not seen.
    func isShown(_ code: String) -> Bool {
        let bare = Self.bare(code)
        let words = code.matches(of: /\w+/).count
        return words > 1 && !given.contains(bare) && (lines.contains(bare) || words > 2 && answer.contains(bare))
    }

    private static func bare(_ code: String) -> String { code.filter { !$0.isWhitespace } }
}
