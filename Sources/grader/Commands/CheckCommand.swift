import Foundation
import Grading
import Reports
import Workbook

/// `grader check`: grades, remembers, and tells.
struct CheckCommand: Sendable {
    let context: CommandContext

    func run() async throws -> ExitCode {
        let all = try context.katas()
        let katas =
            context.request.operands.isEmpty
            ? all : try context.request.operands.map { try context.kata($0, among: all) }.unique(by: \.kata)
        let seed = context.request.seed ?? context.progress.seed ?? UInt64.random(in: 1..<1 << 32)
        let grader = try context.grader(seed: seed)
        let submissions = try katas.map { try context.submission($0) }

        let (decisions, decide) = AsyncStream.makeStream(of: (Submission, Result<Verdict, GradingError>).self)
        async let grading: Void = {
            await grader.grade(submissions) { decide.yield(($0, $1)) }
            decide.finish()
        }()
        var told: [String: LocalizedVerdict] = [:]
        var failures: [String: GradingError] = [:]
        var printed = 0
        var code = ExitCode.passed
        for await (submission, result) in decisions {
            let kata = submission.kata
            switch result {
            case .success(let verdict):
                // What is decided is remembered at once: whatever happens next, it is not lost.
                if !remember(verdict, seed: seed, wasReported: code == .trouble) { code = .trouble }
                let shown = context.progress.katas[kata.kata]?.hintsShown ?? [:]
                told[kata.kata] = LocalizedVerdict(
                    verdict, kata: kata, texts: try context.texts(of: kata), hintsShown: shown)
                if !verdict.isPassed { code = max(code, .notPassed) }
            case .failure(let error):
                failures[kata.kata] = error
                code = .trouble
            }
            guard !context.request.json else { continue }
            // In the workbook's order, each as soon as those before it are told.
            while printed < katas.count, tell(katas[printed], told, failures, isFirst: printed == 0) { printed += 1 }
        }
        await grading

        if context.request.json {
            for kata in katas {
                _ = failures[kata.kata].map { context.console.say(context.strings.reports($0.message)) }
            }
            let verdicts = katas.compactMap { told[$0.kata] }
            let report = CheckReport(verdicts, seed: seed, strings: context.strings.reports)
            context.console.printVerbatim(JSONText.of(report))
        } else if !told.isEmpty {
            close(katas, of: all, told, seed: seed)
        }
        return code
    }

    private func remember(_ verdict: Verdict, seed: UInt64, wasReported: Bool) -> Bool {
        context.remember(wasReported: wasReported) {
            $0.record(verdict, at: Date())
            if context.request.seed == nil { $0.seed = $0.seed ?? seed }
        }
    }

    /// `false` while nothing is decided about the kata.
    private func tell(
        _ kata: Kata, _ told: [String: LocalizedVerdict], _ failures: [String: GradingError], isFirst: Bool
    ) -> Bool {
        if let error = failures[kata.kata] {
            context.console.say("\(kata.kata): \(context.strings.reports(error.message))")
            return true
        }
        guard let verdict = told[kata.kata], let workbook = context.workbook else { return false }
        let text = CheckText(
            strings: context.strings.reports, style: context.style, hintStep: .command(program: context.program))
        let answer = workbook.solution(kata.kata).appendingPathComponent("\(kata.kata).swift")
        let lines = text.lines(
            verdict, path: context.typed(workbook.learnerFile(kata.kata)), modelAnswer: context.typed(answer))
        context.console.print((isFirst ? [] : [""]) + lines)
        return true
    }

    /// What holds for all of it, and what comes next.
    private func close(_ katas: [Kata], of all: [Kata], _ told: [String: LocalizedVerdict], seed: UInt64) {
        let strings = context.strings.reports
        var lines = [""]
        var best = Dictionary(
            uniqueKeysWithValues: all.map { ($0.kata, context.progress.katas[$0.kata]?.best?.outcome) })
        for (kata, verdict) in told where verdict.verdict.isPassed && best[kata] != .mastered {
            best[kata] = verdict.verdict.outcome
        }
        let open = all.first { best[$0.kata] != .passed && best[$0.kata] != .mastered }
        if !all.isEmpty, all.allSatisfy({ best[$0.kata] == .mastered }) {
            lines.append(strings(.allMastered))
        } else if !all.isEmpty, open == nil {
            lines.append(strings(.allPassed))
        } else if let open, katas.allSatisfy({ told[$0.kata]?.verdict.isPassed == true }) {
            lines.append(strings(.nextKata, .text("\(context.program) show \(open.kata)")))
        }
        lines.append(context.style.dim(strings(.seed, .text(String(seed)))))
        context.console.print(lines)
    }
}

extension Array {
    /// The elements whose key is new, in their order.
    func unique<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var seen: Set<Key> = []
        return filter { seen.insert(key($0)).inserted }
    }
}
