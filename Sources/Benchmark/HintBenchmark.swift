import Grading
import Workbook

/// Whether hints name the mistake that was made: over every known wrong answer, and by what has chosen the hint.
struct HintBenchmark: Benchmark {
    static let name = "hints"
    static let options = "[--kata NAME]"

    func run(_ setting: BenchmarkSetting) async throws {
        let wanted = setting.value("--kata")
        let katas = try setting.package.katas().filter { wanted == nil || $0.kata == wanted }
        guard !katas.isEmpty else {
            throw BenchmarkFailure("Expected the name of a kata, but found \(wanted ?? "none").")
        }
        let verification = try KataVerification(workbook: setting.package)
        var shown: [ShownHint] = []
        var (unreached, all) = (0, 0)
        for kata in katas {
            let (hints, never) = try await verification.hints(of: kata)
            shown += hints
            unreached += never.count
            all += Set(kata.tests.flatMap { [$0.hint] + $0.hints.map(\.hint) }).count
            let silent = never.isEmpty ? "" : "; never shown: \(never.joined(separator: ", "))"
            say("\(kata.kata): \(ratio(of: hints))\(silent)")
            for hint in hints where !hint.isNamed { say("    \(hint.answer): \(hint.hint)") }
        }
        for basis in HintRule.Basis.allCases {
            say("chosen by \(basis.rawValue): \(ratio(of: shown.filter { $0.basis == basis }))")
        }
        say("all: \(ratio(of: shown)); \(unreached) of \(all) hints are shown for no known answer")
    }

    private func ratio(of hints: [ShownHint]) -> String {
        "\(hints.count(where: \.isNamed)) of \(hints.count) show the hint that they should"
    }
}
