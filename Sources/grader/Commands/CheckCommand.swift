import Foundation
import Reports
import Storage
import Workbook

/// `grader check`: grades, remembers and reports.
struct CheckCommand: Sendable {
    let context: CommandContext

    /// A verdict, and what it is on.
    private struct Graded {
        var verdict: LocalizedVerdict
        var text: String?
    }

    func run() async throws -> ExitCode {
        let session = try WorkbookSession(context)
        let katas = try session.katas(named: context.request.operands)
        if context.request.schedule != nil, let kata = katas.first { return try await runAgain(kata, session) }
        let texts = try session.texts(of: katas)
        let known = Set(session.progress.rules.keys)
        var results: [String: Result<Graded, CommandError>] = [:]
        var printed = 0
        for await (submission, result) in try session.grade(katas) {
            let kata = submission.kata
            guard let texts = texts[kata.kata] else { continue }
            results[kata.kata] = result.map { verdict in
                let hintsShown = session.progress.katas[kata.kata]?.hintsShown ?? [:]
                return Graded(
                    verdict: LocalizedVerdict(verdict, kata: kata, texts: texts, hintsShown: hintsShown),
                    text: submission.text)
            }
            // In the order asked for, each as soon as those before it are printed.
            while !context.request.json, printed < katas.count, let result = results[katas[printed].kata] {
                print(result, of: katas[printed], session, isFirst: printed == 0)
                printed += 1
            }
        }
        let verdicts = katas.compactMap { try? results[$0.kata]?.get().verdict }
        let seed = try session.grader().options.seed
        if context.request.json {
            for case .failure(let error) in katas.compactMap({ results[$0.kata] }) {
                context.console.say(error.message)
            }
            let report = CheckReport(verdicts, seed: seed, strings: context.strings.reports)
            context.console.printVerbatim(JSONText.of(report))
        } else if !verdicts.isEmpty {
            let isDone = verdicts.count == katas.count && verdicts.allSatisfy(\.verdict.isPassed)
            context.console.print(
                [""] + (try newRules(session, known)) + nextStep(session, isDone: isDone)
                    + seedLine(seed, verdicts.map(\.verdict)))
        }
        if verdicts.count < katas.count || !session.couldRemember { return .trouble }
        return verdicts.allSatisfy(\.verdict.isPassed) ? .passed : .notPassed
    }

    private func print(
        _ result: Result<Graded, CommandError>, of kata: Kata, _ session: WorkbookSession, isFirst: Bool
    ) {
        switch result {
        case .failure(let error): context.console.say("\(kata.kata): \(error.message)")
        case .success(let graded):
            let text = CheckText(
                strings: context.strings.reports, style: context.style,
                hintStep: .command(context.commandLine(.hint, kata.kata)),
                scheduleStep: .command { context.commandLine(.check, kata.kata, Option.schedule.name, "'\($0)'") })
            let answer = session.workbook.modelAnswer(kata.kata)
            let lines = text.lines(
                graded.verdict, path: session.path(of: kata), modelAnswer: context.typed(answer), source: graded.text,
                next: otherWays(kata, graded.verdict.verdict, session),
                unused: session.workbook.unusedFiles(kata.kata))
            context.console.print((isFirst ? [] : [""]) + lines)
            guard context.request.printsProblems else { return }
            // Each on one line, however narrow the terminal: editors read them.
            let problems = text.problems(
                graded.verdict, path: session.path(of: kata), source: graded.text ?? "", parts: session.parts(of: kata))
            context.console.printVerbatim(problems.map { $0 + "\n" }.joined())
        }
    }

    /// Who has mastered a kata in one style has not met the others.
    private func otherWays(_ kata: Kata, _ verdict: Verdict, _ session: WorkbookSession) -> [String] {
        guard verdict.outcome == .mastered, session.hasApproaches(kata) else { return [] }
        return [context.strings(.solutionOtherWays, .text(context.commandLine(.solution, kata.kata)))]
    }

    /// The rules that the learner has met now: they are told once.
    private func newRules(_ session: WorkbookSession, _ known: Set<String>) throws -> [String] {
        // Most checks meet none, and need not read the pages.
        guard !known.isSuperset(of: session.progress.rules.keys) else { return [] }
        let new = try session.rules().filter { $0.learnedIn != nil && !known.contains($0.rule) }
        guard let first = new.first else { return [] }
        let command = context.commandLine(.rule, first.rule)
        return [context.strings(.ruleLearned, .integer(new.count), .text(first.title), .text(command))]
    }

    /// What comes next in the workbook, where everything that was asked for is passed.
    private func nextStep(_ session: WorkbookSession, isDone: Bool) -> [String] {
        let strings = context.strings.reports
        switch session.currentKata {
        case nil: return session.katas.isEmpty ? [] : [strings(.allMastered)]
        case let kata? where session.progress.katas[kata.kata]?.best?.outcome.isPassed == true:
            return [strings(.allPassed)]
        case let kata?: return isDone ? [strings(.nextKata, .text(context.commandLine(.show, kata.kata)))] : []
        }
    }

    /// Who asks why a test failed needs the seed, and who has given one.
    private func seedLine(_ seed: UInt64, _ verdicts: [Verdict]) -> [String] {
        let hasFailed = verdicts.contains { verdict in
            verdict.tests.contains { $0.outcome != .passed && $0.outcome != .notRun }
        }
        guard hasFailed || context.request.seed != nil else { return [] }
        return [context.style.dim(context.strings.reports(.seed, .text(String(seed))))]
    }
}
