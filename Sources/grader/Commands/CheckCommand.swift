import Foundation
import Grading
import Reports
import Workbook

/// `grader check`: grades, remembers, and tells.
struct CheckCommand: Sendable {
    let seat: Seat

    func run() async throws -> ExitCode {
        let all = try seat.katas()
        let katas =
            seat.request.operands.isEmpty
            ? all : try seat.request.operands.map { try seat.kata($0, among: all) }.unique(by: \.kata)
        let seed = seat.request.seed ?? seat.progress.seed ?? UInt64.random(in: 1..<1 << 32)
        let grader = try seat.grader(seed: seed)
        let submissions = try katas.map { try seat.submission($0) }

        let (decisions, decide) = AsyncStream.makeStream(of: (Submission, Result<Verdict, GradingError>).self)
        async let grading: Void = {
            await grader.grade(submissions) { decide.yield(($0, $1)) }
            decide.finish()
        }()
        var told: [String: ToldVerdict] = [:]
        var failures: [String: GradingError] = [:]
        var printed = 0
        var code = ExitCode.passed
        for await (submission, result) in decisions {
            let kata = submission.kata
            switch result {
            case .success(let verdict):
                // What is decided is remembered at once: whatever happens next, it is not lost.
                if !remember(verdict, seed: seed, isTold: code == .trouble) { code = .trouble }
                let shown = seat.progress.katas[kata.kata]?.hintsShown ?? [:]
                told[kata.kata] = ToldVerdict(verdict, kata: kata, texts: try seat.texts(of: kata), hintsShown: shown)
                if !verdict.isPassed { code = max(code, .notPassed) }
            case .failure(let error):
                failures[kata.kata] = error
                code = .trouble
            }
            guard !seat.request.json else { continue }
            // In the workbook's order, each as soon as those before it are told.
            while printed < katas.count, tell(katas[printed], told, failures, isFirst: printed == 0) { printed += 1 }
        }
        await grading

        if seat.request.json {
            for kata in katas { _ = failures[kata.kata].map { seat.console.say(seat.words.reports($0.statement)) } }
            let verdicts = katas.compactMap { told[$0.kata] }
            let report = CheckReport(verdicts, seed: seed, words: seat.words.reports)
            seat.console.printVerbatim(JSONText.of(report))
        } else if !told.isEmpty {
            close(katas, of: all, told, seed: seed)
        }
        return code
    }

    private func remember(_ verdict: Verdict, seed: UInt64, isTold: Bool) -> Bool {
        seat.remember(isTold: isTold) {
            $0.record(verdict, at: Date())
            if seat.request.seed == nil { $0.seed = $0.seed ?? seed }
        }
    }

    /// `false` while nothing is decided about the kata.
    private func tell(
        _ kata: Kata, _ told: [String: ToldVerdict], _ failures: [String: GradingError], isFirst: Bool
    ) -> Bool {
        if let error = failures[kata.kata] {
            seat.console.say("\(kata.kata): \(seat.words.reports(error.statement))")
            return true
        }
        guard let verdict = told[kata.kata], let workbook = seat.workbook else { return false }
        let text = CheckText(words: seat.words.reports, style: seat.style, hintStep: .command(program: seat.program))
        let answer = workbook.solution(kata.kata).appendingPathComponent("\(kata.kata).swift")
        let lines = text.lines(
            verdict, path: seat.typed(workbook.learnerFile(kata.kata)), modelAnswer: seat.typed(answer))
        seat.console.print((isFirst ? [] : [""]) + lines)
        return true
    }

    /// What holds for all of it, and what comes next.
    private func close(_ katas: [Kata], of all: [Kata], _ told: [String: ToldVerdict], seed: UInt64) {
        let words = seat.words.reports
        var lines = [""]
        var best = Dictionary(uniqueKeysWithValues: all.map { ($0.kata, seat.progress.katas[$0.kata]?.best?.outcome) })
        for (kata, verdict) in told where verdict.verdict.isPassed && best[kata] != .mastered {
            best[kata] = verdict.verdict.outcome
        }
        let open = all.first { best[$0.kata] != .passed && best[$0.kata] != .mastered }
        if !all.isEmpty, all.allSatisfy({ best[$0.kata] == .mastered }) {
            lines.append(words(.allMastered))
        } else if !all.isEmpty, open == nil {
            lines.append(words(.allPassed))
        } else if let open, katas.allSatisfy({ told[$0.kata]?.verdict.isPassed == true }) {
            lines.append(words(.nextKata, .text("\(seat.program) show \(open.kata)")))
        }
        lines.append(seat.style.dim(words(.seed, .text(String(seed)))))
        seat.console.print(lines)
    }
}

extension Array {
    /// The elements whose key is new, in their order.
    func unique<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var seen: Set<Key> = []
        return filter { seen.insert(key($0)).inserted }
    }
}
