import Foundation
import Testing
import Workbook

@testable import Grading

/// The rules on verdicts: each is broken once.
@Suite struct AnswerRulesTests {
    private let files = SampleKata.files
    private let core = SampleKata.core
    private let robust = SampleKata.robust

    private func graded(_ name: String, _ verdict: Verdict, seed: UInt64 = 1) throws -> AnswerVerdict {
        let answer = try #require(files.answers().answers.first { $0.name == name || $0.path.hasPrefix(name) })
        return AnswerVerdict(answer: answer, seed: seed, verdict: verdict)
    }

    private func messages(_ name: String, _ verdict: Verdict) throws -> [LocalizableMessage] {
        files.shortcomings(of: try graded(name, verdict)).map(\.message)
    }

    private func message(_ key: LocalizableMessage.Key, _ arguments: String...) -> LocalizableMessage {
        LocalizableMessage(key, arguments: arguments)
    }

    private let error = Diagnostic(
        severity: .error, file: "x", line: 3, column: 5, message: LocalizableMessage(.verbatim, "no such thing"))
    private let warning = Diagnostic(
        severity: .warning, file: "x", line: 1, column: 2, message: LocalizableMessage(.verbatim, "never used"))

    @Test func anAnswerThatDoesWhatItSaysIsFine() throws {
        #expect(try messages("Last", SampleKata.verdict(failing: [core, robust])) == [])
        #expect(try messages("Article", SampleKata.verdict(failing: [robust], .crashed)) == [])
        #expect(try messages("Right", SampleKata.verdict()) == [])
        #expect(try messages("Exercises", SampleKata.verdict(failing: [core, robust])) == [])
    }

    @Test func anAnswerThatDoesNotCompileIsNotRun() throws {
        let found = files.shortcomings(of: try graded("Last", SampleKata.verdict(diagnostics: [error])))
        #expect(found.map(\.message) == [message(.answerNotRun, "Tests/SumTests/Mutants/Last.swift")])
        #expect(found.first?.details == [message(.verbatim, "3:5: no such thing")])
    }

    @Test func anAnswerFailsWhatItSaysAndNothingElse() throws {
        let last = "Tests/SumTests/Mutants/Last.swift"
        #expect(try messages("Last", SampleKata.verdict(failing: [core])) == [message(.answerFailsLess, last, robust)])
        let right = files.shortcomings(of: try graded("Right", SampleKata.verdict(failing: [core, robust])))
        #expect(
            right.map(\.message)
                == [message(.answerFailsMore, "Tests/SumTests/Mutants/Right.swift", "\(core), \(robust)")])
        #expect(right.first?.details == [message(.verbatim, "what \(core) said")])
    }

    @Test func whatARaceDecidesMayBeEither() throws {
        var answer = try graded("Last", SampleKata.verdict(failing: [core]))
        answer.answer.fails = [core]
        answer.answer.mayFail = [robust]
        #expect(files.shortcomings(of: answer) == [])
        answer.verdict = SampleKata.verdict(failing: [core, robust])
        #expect(files.shortcomings(of: answer) == [])
    }

    @Test func theHintIsTheOneOfTheHeader() throws {
        let article = "Tests/SumTests/Mutants/Article.swift"
        #expect(
            try messages("Article", SampleKata.verdict(failing: [robust], kind: "missing"))
                == [message(.answerShowsOtherHint, article, robust, "nothing.crash", "nothing", "missing")])
        var last = try graded("Last", SampleKata.verdict(failing: [core, robust]))
        last.answer.hint = .init(test: robust, name: "nothing")
        #expect(
            files.shortcomings(of: last).map(\.message)
                == [message(.answerShowsOtherTest, "Tests/SumTests/Mutants/Last.swift", robust, core)])
    }

    @Test func theStubPassesNothingAndHasNoWarning() throws {
        #expect(
            try messages("Exercises", SampleKata.verdict(failing: [core]))
                == [message(.stubPasses, "Exercises/Sum/Sum.swift", robust)])
        #expect(
            try messages("Exercises", SampleKata.verdict(failing: [core, robust], diagnostics: [warning]))
                == [message(.answerWarnings, "Exercises/Sum/Sum.swift")])
    }

    @Test func theModelAnswerIsMasteredEachTime() throws {
        let model = "Solutions/Sum/Sum.swift"
        let fine = try graded("Solutions", SampleKata.verdict())
        #expect(files.shortcomingsOfModelAnswer([fine, fine]) == [])
        let other = try graded("Solutions", SampleKata.verdict(failing: [robust]), seed: 7)
        #expect(
            files.shortcomingsOfModelAnswer([fine, other, fine]).map(\.message)
                == [message(.answerNotMastered, model, "2", "3", "7", robust)])
        let warned = try graded("Solutions", SampleKata.verdict(diagnostics: [warning]))
        #expect(files.shortcomingsOfModelAnswer([warned]).map(\.message) == [message(.answerWarnings, model)])
    }

    @Test func everyHintIsReached() throws {
        func missed(_ hint: String) -> [LocalizableMessage] {
            [message(.hintNotReached, hint, "Tests/SumTests/Mutants")]
        }
        let last = try graded("Last", SampleKata.verdict(failing: [core, robust]))
        #expect(files.shortcomingsOfReach([last]).map(\.message) == missed("nothing.crash"))
        // "nothing" is the hint for answers that no rule expects.
        let article = try graded("Article", SampleKata.verdict(failing: [robust], .crashed))
        #expect(files.shortcomingsOfReach([article]).map(\.message) == missed("adds"))
        #expect(files.shortcomingsOfReach([last, article]) == [])
        // No mutant that runs without end is required.
        var others = files
        others.kata.tests[1].hints.append(HintRule(kind: "timedOut", hint: "nothing.late"))
        #expect(others.shortcomingsOfReach([last, article]) == [])
    }

    @Test func aTestTakesAsLongAsInTheQuickestRun() {
        let late = SampleKata.verdict(failing: [robust], .timedOut)
        #expect(
            files.shortcomingsOfTime([late, late], seconds: 1).map(\.message) == [message(.testTakesLong, robust, "1")])
        #expect(files.shortcomingsOfTime([late, SampleKata.verdict()], seconds: 1) == [])
    }

    // MARK: Which answers

    @Test func aQuickLookIsAtTheModelAnswerAndTheGuides() {
        let answers =
            ["Early", "Article"].map { KnownAnswer(kind: .mutant, path: "\($0).swift", text: "") }
            + [
                KnownAnswer(kind: .right, path: "R.swift", text: ""),
                KnownAnswer(kind: .model, path: "M.swift", text: ""),
            ]
        #expect(answers.filter(AnswerSelection.quick.includes).map(\.name) == ["Article", "M"])
        #expect(answers.filter(AnswerSelection.all.includes) == answers)
    }
}
