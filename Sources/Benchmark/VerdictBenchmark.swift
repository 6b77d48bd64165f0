import Foundation
import Storage

/// How long a learner waits for a verdict: over the model answer and every known answer of each kata, one after the other.
struct VerdictBenchmark: Benchmark {
    static let name = "verdicts"
    static let options = "[--kata NAME] [--every N]"

    func run(_ setting: BenchmarkSetting) async throws {
        let workbook = try setting.copiedWorkbook()
        let step = setting.number("--every", 1)
        let wanted = setting.value("--kata")
        let katas = try workbook.katas().map(\.kata).filter { wanted == nil || $0 == wanted }
        guard !katas.isEmpty else {
            throw BenchmarkFailure("Expected the name of a kata, but found \(wanted ?? "none").")
        }
        var waits: [Bool: [Wait]] = [:]
        for kata in katas {
            // The suite is compiled once, while the learner reads.
            try Data(contentsOf: workbook.modelAnswer(kata)).write(to: workbook.learnerFile(kata))
            try setting.run(try setting.grader, ["check", "--workbook", workbook.url.path, kata])
            let answers = workbook.knownAnswers(kata)
            let known = stride(from: 0, to: answers.count, by: step).map { answers[$0] }
            for answer in [workbook.modelAnswer(kata)] + known {
                guard let text = workbook.answerText(answer) else {
                    throw BenchmarkFailure("Expected \(answer.path) to fit the answer that it edits.")
                }
                try Data(text.utf8).write(to: workbook.learnerFile(kata))
                let time = try seconds {
                    let arguments = ["check", "--no-cache", "--workbook", workbook.url.path, kata]
                    try setting.run(try setting.grader, arguments, exitCodes: [0, 1])
                }
                // The header of an answer names the tests that it fails.
                let isRight = !text.contains("\n// fails: ")
                let name = answer.deletingPathExtension().lastPathComponent
                waits[isRight, default: []].append(Wait(answer: "\(kata)/\(name)", seconds: time))
            }
        }
        tell("right", waits[true] ?? [])
        let wrong = waits[false] ?? []
        tell("wrong", wrong)
        if !wrong.isEmpty {
            promise("share of the wrong ones within a second", share(of: wrong, within: 1), atLeast: 0.9)
        }
    }

    private struct Wait {
        var answer: String
        var seconds: Double
    }

    private func tell(_ what: String, _ waits: [Wait]) {
        let sorted = waits.sorted { $0.seconds < $1.seconds }
        guard let longest = sorted.last else { return }
        let figures = [
            "half of them within \(milliseconds(median(waits.map(\.seconds))))",
            "nine of ten within \(milliseconds(sorted[sorted.count * 9 / 10].seconds))",
            "all within \(milliseconds(longest.seconds))",
        ]
        say("\(waits.count) \(what) answers: \(figures.joined(separator: ", "))")
        for wait in sorted.suffix(5).reversed() { say("    \(wait.answer): \(milliseconds(wait.seconds))") }
    }

    private func share(of waits: [Wait], within seconds: Double) -> Double {
        Double(waits.count { $0.seconds <= seconds }) / Double(waits.count)
    }
}
