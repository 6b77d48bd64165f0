import Foundation
import Workbook

/// The rules that come back from kata to kata, as `Exercises/Rules.xcstrings` has them in one language.
public struct RuleTexts: Sendable {
    private let catalog: StringCatalog?

    /// A workbook without the file has no rules.
    public init(contentsOf file: URL, language: Language) throws {
        guard FileManager.default.fileExists(atPath: file.path) else {
            catalog = nil
            return
        }
        catalog = try StringCatalog(contentsOf: file, language: language)
    }

    /// In the order of their names.
    public var names: [String] { RulePart.rules(in: catalog?.keys ?? []) }

    /// The rule's own name where it has no text.
    public func text(_ part: RulePart, of rule: String) -> String {
        let key = part.key(of: rule)
        return catalog?.has(key) == true ? catalog?.text(key) ?? rule : rule
    }
}

/// Where a rule comes back, and what a learner has of it.
public struct RuleReport: Codable, Sendable, Equatable {
    public var rule: String
    public var title: String
    /// What always holds.
    public var text: String
    /// The smallest code that shows it.
    public var code: String
    public var trap: String
    /// The kata in which a test of the rule passed first; `nil` where none has.
    @OrNull public var learnedIn: String?
    /// The katas that test it, in the workbook's order.
    public var katas: [String]

    public init(_ rule: String, _ texts: RuleTexts, katas: [Kata], learned: [String: String]) {
        self.rule = rule
        title = texts.text(.title, of: rule)
        text = texts.text(.rule, of: rule)
        code = texts.text(.code, of: rule)
        trap = texts.text(.trap, of: rule)
        _learnedIn = OrNull(wrappedValue: learned[rule])
        self.katas = katas.filter { $0.tests.contains { $0.rule == rule } }.map(\.kata)
    }

    /// The rule's page: at most ten lines on a terminal of a usual width.
    public func lines(_ strings: ReportStrings, style: TextStyle) -> [String] {
        let mark = learnedIn == nil ? style.open : style.good
        let places = katas.map { $0 == learnedIn ? style.bold($0) : $0 }
        return ["\(mark) \(style.bold(title))  \(style.dim(rule))", text]
            + TextStyle.lines(of: code).map { "    " + $0 }
            + [strings(.ruleTrap, .text(trap)), strings(.ruleComesBack, .list(places))]
    }
}

/// A rule that a learner has met, and where.
public struct SolvedRule: Sendable, Equatable {
    public var title: String
    public var kata: String
    /// The learner's file there, as they would type it.
    public var file: String
    /// The part of that file that the rule was met in, where it is known and short.
    public var code: [String]

    public init(title: String, kata: String, file: String, code: [String] = []) {
        self.title = title
        self.kata = kata
        self.file = file
        self.code = code
    }
}

/// The object that `rule --json` prints.
public struct RulesReport: Codable, Sendable, Equatable {
    public var schema = 1
    public var language: Language
    public var rules: [RuleReport]

    public init(language: Language, rules: [RuleReport]) {
        self.language = language
        self.rules = rules
    }
}
