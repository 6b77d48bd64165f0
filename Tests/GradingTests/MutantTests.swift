import Foundation
import Storage
import TestSupport
import Testing
import Workbook

@testable import Grading

/// A suite is worth what it catches. Beside each lie answers that people really give, wrong ones that say which tests they
/// must fail and right ones in other styles, and all of them are graded.
@Suite(.serialized, .grades) struct MutantTests {
    static let workbook = WorkbookFolder(containing: FixtureWorkbook.testFolder)

    static let katas: [Kata] = (try? workbook?.katas()) ?? []

    @Test func everyKataIsFound() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: try #require(Self.workbook).url.appendingPathComponent("Exercises").path)
        #expect(Self.katas.map(\.kata).sorted() == folders.filter { !$0.contains(".") }.sorted())
    }

    @Test(arguments: katas.map(\.kata))
    func everyAnswerFailsWhatItSaysAndNothingElse(name: String) async throws {
        let (kata, all) = try known(name)
        let stub = try Answer.stub(of: kata, in: try #require(Self.workbook))
        defer { try? FileManager.default.removeItem(at: stub.file) }
        let answers = all + [stub]
        #expect(answers.count { $0.kind == .mutant } >= 8, "\(kata.kata) needs at least eight wrong answers.")
        #expect(
            answers.count { $0.kind == .right } >= 2, "\(kata.kata) needs at least two right answers in other styles.")
        #expect(answers.contains { $0.name == "Article" }, "\(kata.kata) needs the article's own code.")

        let found = try await grade(answers, of: kata)
        for answer in answers {
            let verdict = try #require(try found[answer.name]?.get(), "\(answer.name) was not graded.")
            let failed = Set(verdict.tests.filter { $0.outcome != .passed }.map(\.id))
            let errors = verdict.diagnostics.filter { $0.severity == .error }
            #expect(
                verdict.tests.count == kata.tests.count && errors.isEmpty,
                "\(kata.kata)/\(answer.name) was not run: \(verdict.outcome), \(errors)")
            if answer.kind == .stub || answer.kind == .model {
                #expect(verdict.diagnostics.isEmpty, "What learners are given and shown compiles without a warning.")
            }
            let surplus = failed.subtracting(answer.fails).subtracting(answer.mayFail).sorted()
            let missing = answer.fails.subtracting(failed).sorted()
            #expect(surplus.isEmpty, "\(kata.kata)/\(answer.name) should not fail these.")
            #expect(missing.isEmpty, "\(kata.kata)/\(answer.name) should fail these.")
            if answer.kind == .right || answer.kind == .model { #expect(verdict.outcome == .mastered) }
            if let hint = answer.hint {
                let first = verdict.rootFailures(in: kata).first
                #expect(first?.id == hint.test, "\(kata.kata)/\(answer.name) should show this test first.")
                let test = verdict.tests.first { $0.id == first?.id }
                #expect(
                    first?.hint(in: verdict) == hint.name || test?.kind == hint.name,
                    "\(kata.kata)/\(answer.name) should be given the hint, or found to be of the kind, \(hint.name).")
            }
        }
    }

    @Test(arguments: katas.map(\.kata))
    func theArticlesCodePassesCoreAndNotAll(name: String) throws {
        let (kata, answers) = try known(name)
        let article = try #require(answers.first { $0.name == "Article" })
        let core = Set(kata.tests.filter { $0.tier == .core }.map(\.id))
        #expect(article.fails.isDisjoint(with: core))
        #expect(!article.fails.isEmpty)
    }

    @Test(arguments: katas.map(\.kata))
    func everyTestIsFailedBySomeAnswer(name: String) throws {
        let (kata, answers) = try known(name)
        let caught = answers.reduce(into: Set<String>()) { $0.formUnion($1.fails) }
        #expect(Set(kata.tests.map(\.id)).subtracting(caught).isEmpty)
    }

    private func known(_ name: String) throws -> (Kata, [Answer]) {
        let kata = try #require(Self.katas.first { $0.kata == name })
        return (kata, try Answer.all(for: kata, in: try #require(Self.workbook)))
    }

    private func grade(_ answers: [Answer], of kata: Kata) async throws -> [String: Result<Verdict, GradingError>] {
        var options = FixtureWorkbook.options()
        // Wrong answers spend most of their time in waits that are in vain.
        options.jobs = 3 * ProcessInfo.processInfo.activeProcessorCount
        // How long a learner waits is not asked here, and the machine may be busy with other tests.
        options.limits.suiteSeconds = 60
        options.limits.testSeconds = 30
        let grader = try SubmissionGrader(workbook: try #require(Self.workbook), options: options)
        let submissions = answers.map { Submission(kata: kata, file: $0.file, displayPath: $0.name) }
        let verdicts = Verdicts()
        await grader.grade(submissions) { submission, result in
            await verdicts.set(result, for: submission.displayPath)
        }
        return await verdicts.all
    }
}

private actor Verdicts {
    var all: [String: Result<Verdict, GradingError>] = [:]

    func set(_ verdict: Result<Verdict, GradingError>, for name: String) {
        all[name] = verdict
    }
}

/// An answer whose verdict is known beforehand.
private struct Answer {
    enum Kind { case stub, model, mutant, right }

    var name: String
    var file: URL
    var kind: Kind
    /// The tests that it must fail.
    var fails: Set<String>
    /// The tests that it fails or passes as threads happen to meet.
    var mayFail: Set<String> = []
    /// The test that is shown first, and its hint's prefix or what kind of mistake it must find; nil where none is given.
    var hint: (test: String, name: String)?

    static func all(for kata: Kata, in workbook: WorkbookFolder) throws -> [Answer] {
        let mutants = workbook.suite(kata.kata).appendingPathComponent("Mutants")
        let names = try FileManager.default.contentsOfDirectory(atPath: mutants.path)
        let model = workbook.solution(kata.kata).appendingPathComponent("\(kata.kata).swift")
        return try [Answer(name: "the model answer", file: model, kind: .model, fails: [])]
            + names.filter { $0.hasSuffix(".swift") }.sorted().map {
                try Answer(mutants.appendingPathComponent($0), of: kata)
            }
    }

    /// The stub with one line more, as the shipped one is known and not run. It passes nothing.
    static func stub(of kata: Kata, in workbook: WorkbookFolder) throws -> Answer {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).swift")
        let text = try String(contentsOf: workbook.shippedStub(kata.kata), encoding: .utf8)
        try Data("\(text)// begun\n".utf8).write(to: file)
        return Answer(name: "the stub", file: file, kind: .stub, fails: Set(kata.tests.map(\.id)))
    }

    private init(
        name: String, file: URL, kind: Kind, fails: Set<String>, mayFail: Set<String> = [],
        hint: (test: String, name: String)? = nil
    ) {
        self.mayFail = mayFail
        self.hint = hint
        self.name = name
        self.file = file
        self.kind = kind
        self.fails = fails
    }

    /// Reads the header: `// mutant: <what is wrong>` with a line `// fails: <test>` for each test, `// may fail: <test>` for
    /// one that a race decides, and
    /// `// hint: <test> <kind or hint>` for what has to be shown first, or `// right: <style>`.
    private init(_ file: URL, of kata: Kata) throws {
        let header = try String(contentsOf: file, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("//") }
        let fails = header.compactMap { $0.hasPrefix("// fails: ") ? String($0.dropFirst(10)) : nil }
        let isMutant = header.first?.hasPrefix("// mutant: ") == true
        let isRight = header.first?.hasPrefix("// right: ") == true
        let mayFail = header.compactMap { $0.hasPrefix("// may fail: ") ? String($0.dropFirst(13)) : nil }
        let known = Set(kata.tests.map(\.id))
        try #require(isMutant != isRight, "\(file.path) has to begin with `// mutant: ` or `// right: `.")
        try #require(
            fails.isEmpty == isRight, "\(file.path): a mutant names the tests that it fails, a right answer none.")
        try #require(
            known.isSuperset(of: fails + mayFail), "\(file.path) names a test that \(kata.kata) does not have.")
        let hints = header.filter { $0.hasPrefix("// hint: ") }.map { $0.dropFirst(9).split(separator: " ") }
        try #require(
            hints.count == (isMutant ? 1 : 0) && hints.allSatisfy { $0.count == 2 },
            "\(file.path): a mutant has one line `// hint: <test> <kind or hint>`, a right answer none.")
        let hint = hints.first.map { (test: String($0[0]), name: String($0[1])) }
        try #require(
            hint.map { fails.contains($0.test) } != false, "\(file.path): the hint's test is one that fails.")
        self.init(
            name: file.deletingPathExtension().lastPathComponent, file: file, kind: isMutant ? .mutant : .right,
            fails: Set(fails), mayFail: Set(mayFail), hint: hint)
    }
}
