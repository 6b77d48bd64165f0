import Foundation
import Storage
import Workbook

/// Grades one kata from beginning to end, as a test of the machine: its model answer has to be mastered, and its stub has to
/// pass nothing.
struct RoundTrip {
    let workbook: WorkbookFolder
    let engine: EngineName

    func facts() async -> [Doctor.Fact] {
        let kata: Kata
        let grader: SubmissionGrader
        do {
            guard let first = try workbook.katas().first else {
                return [Doctor.Fact(.suite, .failure, LocalizableMessage(.noWorkbook, workbook.url.path))]
            }
            kata = first
            var options = GradingOptions()
            options.engine = engine
            options.usesCache = false
            grader = try SubmissionGrader(workbook: workbook, options: options)
            let start = ContinuousClock.now
            try await grader.prepare(kata)
            let built = Doctor.Fact(.suite, .fine, LocalizableMessage(.suiteBuilt, kata.kata, seconds(since: start)))
            return [
                built, await schedules(kata, grader), try await answer(kata, grader), try await stub(kata, grader),
            ]
        } catch {
            let message =
                (error as? GradingError)?.message ?? (error as? WorkbookError)?.message
                ?? LocalizableMessage(.verbatim, "\(error)")
            return [Doctor.Fact(.suite, .failure, message)]
        }
    }

    private func schedules(_ kata: Kata, _ grader: SubmissionGrader) async -> Doctor.Fact {
        await grader.exploresOrders(of: kata)
            ? Doctor.Fact(.schedules, .fine, LocalizableMessage(.ordersAreExplored))
            : Doctor.Fact(.schedules, .warning, LocalizableMessage(.ordersAreNotExplored))
    }

    private func answer(_ kata: Kata, _ grader: SubmissionGrader) async throws -> Doctor.Fact {
        let file = workbook.modelAnswer(kata.kata)
        let verdict = try await grader.grade(Submission(kata: kata, file: file, displayPath: file.path))
        return verdict.outcome == .mastered
            ? Doctor.Fact(.answer, .fine, LocalizableMessage(.answerMastered, kata.kata, seconds(verdict.seconds)))
            : failure(.answer, file, verdict, expected: kata.maxPoints)
    }

    private func stub(_ kata: Kata, _ grader: SubmissionGrader) async throws -> Doctor.Fact {
        // The stub as shipped is known and not run.
        let file = workbook.shippedStub(kata.kata)
        let text = try String(contentsOf: file, encoding: .utf8) + "// begun\n"
        let verdict = try await grader.grade(Submission(kata: kata, text: text, displayPath: file.path))
        return verdict.outcome == .failed && verdict.points == 0
            ? Doctor.Fact(.stub, .fine, LocalizableMessage(.stubFails, kata.kata, seconds(verdict.seconds)))
            : failure(.stub, file, verdict, expected: 0)
    }

    private func failure(_ subject: Doctor.Fact.Subject, _ file: URL, _ verdict: Verdict, expected: Int) -> Doctor.Fact
    {
        let failed = verdict.tests.filter { $0.outcome != .passed }.map { "\($0.id): \($0.outcome.rawValue)" }
        let found = verdict.diagnostics.map { "\($0.line): \($0.message.arguments.joined(separator: " "))" } + failed
        return Doctor.Fact(
            subject, .failure,
            LocalizableMessage(
                .roundTripFailed, file.lastPathComponent, "\(expected)", "\(verdict.maxPoints)", "\(verdict.points)",
                "(\(verdict.outcome.rawValue); \(found.prefix(5).joined(separator: "; ")))"))
    }

    private func seconds(since start: ContinuousClock.Instant) -> String {
        seconds(start.duration(to: .now) / .seconds(1))
    }

    private func seconds(_ number: Double) -> String { ((number * 10).rounded() / 10).short }
}
