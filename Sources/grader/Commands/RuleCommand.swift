import Reports
import Storage
import Workbook

/// `grader rule`: the rules that come back from kata to kata, and where the learner has met them.
struct RuleCommand: Sendable {
    let context: CommandContext

    func run() throws -> ExitCode {
        let session = try WorkbookSession(context)
        let all = try session.rules()
        var rules = all
        if let name = context.request.operands.first {
            rules = all.filter { $0.rule == name.lowercased() }
            guard !rules.isEmpty else { throw CommandError(message: unknown(name, all), code: .usage) }
        }
        if context.request.json {
            context.console.printVerbatim(JSONText.of(RulesReport(language: context.language, rules: rules)))
            return .passed
        }
        if context.request.operands.isEmpty {
            context.console.print(list(rules))
        } else {
            context.console.print(rules.flatMap { $0.lines(context.strings.reports, style: context.style) })
        }
        return .passed
    }

    private func list(_ rules: [RuleReport]) -> [String] {
        let style = context.style
        guard let first = rules.first else { return [context.strings(.ruleNone)] }
        var table = TextTable([.leading, .leading, .leading, .leading])
        for rule in rules {
            table.add(
                context.mark(rule.learnedIn == nil ? .notStarted : .passed), .init(rule.rule) { style.bold($0) },
                .init(rule.learnedIn ?? "") { style.dim($0) }, .init(rule.title))
        }
        return table.lines(columns: context.console.lineWidth)
            + ["", context.strings(.ruleHow, .text(context.commandLine(.rule, first.rule)))]
    }

    private func unknown(_ name: String, _ rules: [RuleReport]) -> String {
        guard let nearest = NearestName(to: name, among: rules.map(\.rule)).name else {
            return context.strings(.ruleUnknown, .text(name), .text(context.commandLine(.rule)))
        }
        return context.strings(.ruleUnknownNearest, .text(name), .text(nearest))
    }
}

extension WorkbookSession {
    /// The workbook's rules, with where the learner has met them.
    func rules() throws(CommandError) -> [RuleReport] {
        let texts: RuleTexts
        do {
            texts = try RuleTexts(contentsOf: workbook.rules, language: strings.language)
        } catch let problem {
            throw error(WorkbookError(context.typed(workbook.rules), at: workbook.rules, unreadable: problem))
        }
        let learned = progress.rules
        return texts.names.map { RuleReport($0, texts, katas: katas, learned: learned) }
    }

    /// Those of the rules that the learner has met, by name.
    func solved(_ rules: [RuleReport]) -> [String: SolvedRule] {
        var solved: [String: SolvedRule] = [:]
        for rule in rules {
            guard let name = rule.learnedIn, let kata = katas.first(where: { $0.kata == name }) else { continue }
            solved[rule.rule] = SolvedRule(
                title: rule.title, kata: name, file: path(of: kata), code: code(of: rule.rule, in: kata))
        }
        return solved
    }

    /// What the learner wrote where the rule was met; nothing where a kata has no parts to tell.
    private func code(of rule: String, in kata: Kata) -> [String] {
        guard let part = kata.tests.first(where: { $0.rule == rule })?.parts.first,
            let text = try? String(contentsOf: workbook.learnerFile(kata.kata), encoding: .utf8)
        else { return [] }
        return PartSource.lines(of: part, in: text) ?? []
    }
}
