import Foundation
import KataSupport
import Testing
import Workbook

@testable import Grading

/// The rules on a kata's files: each is broken once.
@Suite struct KataRulesTests {
    private func found(_ change: (inout KataFiles) -> Void) -> [Shortcoming] {
        var files = SampleKata.files
        change(&files)
        let (answers, headers) = files.answers()
        return files.shortcomingsOfFiles() + files.shortcomingsOfManifest() + files.shortcomingsOfSuite() + headers
            + files.shortcomings(of: answers) + files.shortcomingsOfTexts()
    }

    private func expect(
        _ key: LocalizableMessage.Key, _ arguments: String..., location: SourceLocation = #_sourceLocation,
        by change: (inout KataFiles) -> Void
    ) {
        let messages = found(change).map(\.message)
        #expect(messages == [LocalizableMessage(key, arguments: arguments)], sourceLocation: location)
    }

    private let hints = "Exercises/Sum/Hints.xcstrings"

    @Test func nothingIsFoundWhereAllHolds() {
        #expect(found { _ in } == [])
    }

    @Test func everyFileIsThere() {
        expect(.kataFileMissing, "Exercises/Sum/README.th.md") { files in
            for index in files.briefs.indices where files.briefs[index].language == .thai {
                files.briefs[index].file.text = nil
            }
        }
        expect(.kataFileMissing, "Exercises/Sum/Sum.swift") { $0.stub.text = nil }
    }

    @Test func theCopyOfTheStubIsTheStub() {
        expect(.stubNotShipped, "Exercises/Sum/Sum.swift", "Exercises/Sum/.shipped/Sum.swift") {
            $0.stub.text = SampleKata.stub + "// changed\n"
        }
    }

    @Test func theInterfaceIsInStubAnswerAndBrief() {
        let sum = SampleKata.kata.interface[0]
        let manifest = "Exercises/Sum/kata.json"
        let other = "public func add(_ numbers: [Int]) -> Int"
        expect(.interfaceMissing, sum, manifest, "Exercises/Sum/README.md") { files in
            for index in files.briefs.indices {
                files.briefs[index].file.text = SampleKata.brief.replacing("func sum(", with: "func add(")
            }
        }
        expect(.interfaceMissing, sum, manifest, "Solutions/Sum/Sum.swift") {
            $0.modelAnswer.text = SampleKata.answer.replacing("func sum(", with: "func add(")
        }
        let messages = found { $0.kata.interface.append(other) }.map(\.message)
        #expect(
            messages
                == ["Exercises/Sum/Sum.swift", "Solutions/Sum/Sum.swift", "Exercises/Sum/README.md"].map {
                    LocalizableMessage(.interfaceMissing, other, manifest, $0)
                })
    }

    @Test(arguments: [
        ("public var a, b", ["vara", "varb"]), ("@Published public private(set) var a: Int?", ["@Publishedvara:Int?"]),
        ("extension P where F == Never { public var a: Int { get async } }", ["vara:Int"]),
        ("public enum E: Error { case one }", ["enumE:Error"]),
    ])
    func anEntryOfTheInterfaceIsReadWithoutItsBody(entry: String, declarations: [String]) {
        #expect(InterfaceEntry(entry).declarations == declarations)
    }

    @Test func aBriefIsTranslatedWithAllOfItsSections() {
        func change(_ files: inout KataFiles, english: String, korean: String) {
            for index in files.briefs.indices {
                let text =
                    files.briefs[index].language == .korean ? korean : "\(files.briefs[index].language) has words\n"
                let isEnglish = files.briefs[index].language == .english
                files.briefs[index].file.text = SampleKata.brief + (isEnglish ? english : text)
            }
        }
        let paths = ("Exercises/Sum/README.ko.md", "Exercises/Sum/README.md")
        let english = "It adds all numbers.\n\nNothing adds up to nothing.\n"
        expect(.briefNotTranslated, paths.0, paths.1) { change(&$0, english: english, korean: english) }
        expect(.briefHeadings, paths.0, paths.1, "3", "2") {
            change(&$0, english: english, korean: "## More\n\n모든 수를 더합니다 그리고\n")
        }
        #expect(found { change(&$0, english: english, korean: "모든 수를 더합니다\n") } == [])
    }

    @Test func theManifestIsInOrder() {
        expect(.noCoreTest, "Exercises/Sum/kata.json") {
            $0.kata.tests[0].tier = .robust
        }
        expect(.testTwice, SampleKata.core) { $0.kata.tests.append($0.kata.tests[0]) }
        expect(.testRefersToUnknown, SampleKata.robust, "after", "SumTests/gone()") {
            $0.kata.tests[1].after.append("SumTests/gone()")
        }
        expect(.testRefersToUnknown, SampleKata.robust, "failing", "SumTests/gone()") {
            $0.kata.tests[1].hints[0].failing = ["SumTests/gone()"]
        }
        expect(.testRefersToUnknown, SampleKata.robust, "passing", "SumTests/gone()") {
            $0.kata.tests[1].hints[0].passing = ["SumTests/gone()"]
        }
        expect(.hintKindUnknown, SampleKata.robust, "datarace", HintRule.kinds.joined(separator: ", ")) {
            $0.kata.tests[1].hints[0].kind = "datarace"
        }
        expect(.testPartUnknown, SampleKata.core, "total", "Exercises/Sum/Sum.swift") {
            $0.kata.tests[0].parts = ["sum", "sum(_:)", "total"]
        }
        expect(.testExplainedLater, SampleKata.robust, SampleKata.core) { $0.kata.tests.reverse() }
    }

    @Test func theKindsAreThoseOfFindingsWhatSwiftSaysAndTwoOutcomes() {
        let found = KataSupport.Finding.Kind.allCases.map(\.rawValue)
        let differs = KataSupport.Finding.Difference.allCases.map(\.rawValue)
        let said = [
            "leaked", "notCancelled", "resumedTwice", "neverResumed", "unwrappedNil", "indexOutOfRange",
            "overlappingAccess", "stackOverflow",
        ]
        #expect(HintRule.kinds == found + differs + said + ["crashed", "timedOut"])
    }

    @Test(arguments: [
        ("SumTests/addsUp", KataTest.Framework.testing, false), ("SumTests/addsUp()", .xctest, false),
        ("addsUp()", .testing, false), ("SumXCTests/testAddsUp()", .xctest, false),
        ("SumXCTests/addsUp", .xctest, false),
        ("SumTests/addsUp(to:)", .testing, true), ("SumTests/Inner/addsUp()", .testing, true),
        ("SumXCTests/testAddsUp", .xctest, true),
    ])
    func anIDIsOfItsFramework(id: String, framework: KataTest.Framework, isRight: Bool) {
        var files = SampleKata.files
        files.kata.tests = [KataTest(id: id, framework: framework, tier: .core, points: 1, hint: "adds")]
        #expect(files.shortcomingsOfManifest().map(\.message.key) == (isRight ? [] : [.testIDForm]))
    }

    @Test func theKatasOfAWorkbookAgree() {
        var other = SampleKata.kata
        other.kata = "Other"
        let found = KataFiles.shortcomings(
            of: [("Draft", nil), ("Sum", SampleKata.kata), ("Total", other)], rules: [])
        #expect(
            found.map(\.message) == [
                LocalizableMessage(.kataWithoutManifest, "Exercises/Draft"),
                LocalizableMessage(.kataFolderName, "Total", "Other"), LocalizableMessage(.kataOrderTwice, "1", "Sum"),
            ])
    }

    @Test func whatAKataNeedsComesBeforeIt() {
        var later = SampleKata.kata
        (later.kata, later.order, later.needs) = ("Later", 2, ["Sum", "Later", "Gone"])
        let found = KataFiles.shortcomings(of: [("Later", later), ("Sum", SampleKata.kata)], rules: [])
        #expect(
            found.map(\.message) == [
                LocalizableMessage(.kataNeedsUnknown, "Later"), LocalizableMessage(.kataNeedsUnknown, "Gone"),
            ])
    }

    @Test func testsHaveWeightsAndKnownRulesAndAllRobustOnesThemesOrNone() {
        var kata = SampleKata.kata
        kata.tests[0].points = 0
        kata.tests[0].rule = "own-state"
        #expect(
            KataFiles.shortcomings(of: [("Sum", kata)], rules: ["one-step"]).map(\.message) == [
                LocalizableMessage(.testPoints, SampleKata.core, "0"),
                LocalizableMessage(.testRuleUnknown, SampleKata.core, "own-state", "one-step"),
            ])
        kata = SampleKata.kata
        kata.tests[0].theme = .memory
        #expect(
            KataFiles.shortcomings(of: [("Sum", kata)], rules: []).map(\.message.key) == [.testWithoutTheme])
    }

    // MARK: Texts

    @Test func aDrawingMayHaveWordsOfItsLanguage() {
        let drawing = "```text\nvalue ──▶ task\n```\n"
        #expect(MarkdownCode(drawing) == MarkdownCode(drawing.replacing("value", with: "값")))
        #expect(MarkdownCode("```swift\na\n```\n" + drawing).blocks == [["a"]])
    }

    @Test func approachesHaveTextsAndInterviewAnswersAreTheSameInEachLanguage() {
        let folder = "Solutions/Sum/Approaches"
        let loop = KataFiles.File(path: "\(folder)/WithALoop.swift", text: "// right: a loop\n")
        let texts = "\(folder)/Approaches.xcstrings"
        expect(.kataFileMissing, texts) {
            $0.approaches = [loop]
            $0.approachTexts.path = texts
        }
        expect(.textsMissing, texts, "WithALoop.trade") {
            $0.approaches = [loop]
            $0.approachTexts = .init(
                path: texts,
                text: SampleKata.catalog(["WithALoop.title": "a", "Sum.title": "a", "Sum.trade": "a"]))
        }
        expect(.interviewAnswersDiffer, "Interview.ko.md", "Interview.md") {
            $0.interviewAnswers = Language.allCases.map { language in
                let file = language == .english ? "Interview.md" : "Interview.\(language.code).md"
                let points = language == .korean ? "- a\n" : "- a\n- b\n"
                return .init(language: language, file: .init(path: file, text: "# Sum\n\n## Why?\n\n\(points)"))
            }
        }
    }

    @Test func theCatalogIsComplete() {
        #expect(found { $0.catalog.text = "{" }.map(\.message.key) == [.catalogUnreadable])
        expect(.textsMissing, hints, "adds.2, kata.achieved") {
            $0.catalog.text = SampleKata.catalog(
                SampleKata.texts.filter { $0.key != "adds.2" && $0.key != "kata.achieved" })
        }
        expect(.textsMissing, hints, "nothing.crash.1") {
            $0.catalog.text = SampleKata.catalog(SampleKata.texts.filter { $0.key != "nothing.crash.1" })
        }
        expect(.textsNotUsed, hints, "gone.1") {
            $0.catalog.text = SampleKata.catalog(SampleKata.texts.merging(["gone.1": "?"]) { $1 })
        }
        expect(.textsNotTranslated, hints, "ko", "adds.1, adds.2") {
            $0.catalog.text = SampleKata.catalog(SampleKata.texts, .korean, ["adds.1": .none, "adds.2": .none])
        }
        expect(.textEmpty, hints, "adds.1", "es") {
            $0.catalog.text = SampleKata.catalog(SampleKata.texts, .spanish, ["adds.1": ""])
        }
        expect(.textMalformed, hints, "adds.1", "id") {
            $0.catalog.text = SampleKata.catalog(SampleKata.texts, .indonesian, ["adds.1": "100%"])
        }
        expect(.textPlaceholders, hints, "adds.1", "zh") {
            $0.catalog.text = SampleKata.catalog(SampleKata.texts, .chinese, ["adds.1": "%@"])
        }
        expect(.textPlural, hints, "adds.1", "es", "one, many, other") {
            let catalog = SampleKata.catalog(SampleKata.texts, .spanish, ["adds.1": "own"])
            let unit = #"{"stringUnit":{"state":"translated","value":"own"}}"#
            $0.catalog.text = catalog.replacing(unit, with: #"{"variations":{"plural":{"other":\#(unit)}}}"#)
        }
        expect(.textsNotTranslated, "Exercises/Phases.xcstrings", "th", "phase.1") {
            $0.phases.text = SampleKata.catalog(["phase.1": "One"], .thai, ["phase.1": .none])
        }
    }

    @Test func aWorkbookNeedsNoTitlesOfPhases() {
        #expect(found { $0.phases.text = nil } == [])
    }

    @Test func codeIsTheSameInEveryLanguage() {
        expect(.textCode, hints, "adds.3", "es") {
            $0.catalog.text = SampleKata.catalog(
                SampleKata.texts, .spanish, ["adds.3": "```swift\nfor numero in numeros { total += numero }\n```"])
        }
        expect(.briefCode, "Exercises/Sum/README.ko.md", "Exercises/Sum/README.md", "3") { files in
            for index in files.briefs.indices where files.briefs[index].language == .korean {
                files.briefs[index].file.text = SampleKata.brief.replacing("check Sum", with: "check Total")
            }
        }
        // Comments are prose.
        let translated = found { files in
            for index in files.briefs.indices where files.briefs[index].language == .korean {
                files.briefs[index].file.text = SampleKata.brief.replacing("// three", with: "// 셋")
            }
        }
        #expect(translated == [])
    }

    @Test(arguments: [
        ("Look: `numbers.reduce(0, +)`", "numbers.reduce(0, +)"),
        ("Look: `numbers . reduce(0, +)`", "numbers . reduce(0, +)"),
    ])
    func noHintBeforeTheThirdHasCodeOfTheAnswer(words: String, shown: String) {
        expect(.hintShowsAnswer, hints, "adds.2", "th", shown) {
            $0.catalog.text = SampleKata.catalog(SampleKata.texts, .thai, ["adds.2": words])
        }
    }

    @Test func noHintBeforeTheThirdHasABlockOfCode() {
        let found = found {
            $0.catalog.text = SampleKata.catalog(
                SampleKata.texts.merging(["adds.2": "```swift\nlet x = 1\n```"]) { $1 })
        }
        #expect(found.map(\.message.key) == Language.allCases.map { _ in .hintShowsAnswer })
        #expect(found.first?.message.arguments.last == "let x = 1")
    }

    @Test func aHintMayNameWhatIsGiven() {
        let found = found {
            $0.catalog.text = SampleKata.catalog(
                SampleKata.texts.merging(["adds.1": "What does `sum([1, 2])` give, and what does `reduce` do?"]) { $1 })
        }
        #expect(found == [])
    }

    @Test func whatIsStillToBeDoneIsListed() {
        expect(.toDo, "Exercises/Sum/README.zh.md", "1", "translate this") { files in
            for index in files.briefs.indices where files.briefs[index].language == .chinese {
                files.briefs[index].file.text = "<!-- TODO: translate this -->\n" + SampleKata.brief
            }
        }
        // A stub may tell the learner what to do.
        #expect(
            found {
                $0.stub.text = SampleKata.stub + "// TODO: yours"; $0.shippedStub.text = $0.stub.text
            } == [])
    }

    // MARK: The suite and its answers

    @Test(arguments: [
        "try await Task.sleep(for: .seconds(1))", "Thread.sleep(forTimeInterval: 1)", "usleep(10_000)",
        "queue.asyncAfter(deadline: .now() + 1) {}", "try await ContinuousClock().sleep(for: .seconds(1))",
    ])
    func noTestSleeps(line: String) {
        let found = found { $0.suite[0].text = "import Sum\n\n    \(line)\n" }
        #expect(found.map(\.message.key) == [.suiteSleeps])
        #expect(found.first?.message.arguments.prefix(2) == ["Tests/SumTests/SumTests.swift", "3"])
    }

    @Test func aFewMicrosecondsMayWidenARace() {
        #expect(found { $0.suite[0].text = "usleep(20)" } == [])
    }

    @Test func aTestClockMaySleep() {
        #expect(
            found { $0.suite[0].text = "try await clock.sleep(for: .seconds(1))\nlet words = \"Task.sleep\"" } == [])
    }

    @Test func testsWithKataSupportHaveAProcessOfTheirOwn() {
        let suite = { (trait: String) in
            "import KataSupport\nimport Sum\n\n@Suite\(trait) struct SumTests {\n    @Test func addsUp() {}\n}\n"
        }
        expect(.suiteSharesProcess, "Tests/SumTests/SumTests.swift", SampleKata.core) { $0.suite[0].text = suite("") }
        #expect(found { $0.suite[0].text = suite("(.ownProcess)") } == [])
    }

    @Test func textsAreInTheLanguagesOfTheWorkbook() {
        let found = found {
            $0.languages = [.english, .korean]
            $0.briefs.removeAll { ![.english, .korean].contains($0.language) }
            $0.catalog.text = $0.catalog.text?.replacing("\"th\"", with: "\"xx\"")
        }
        #expect(found == [])
    }

    @Test func headersSayWhatAnAnswerIs() {
        let path = "Tests/SumTests/Mutants/X.swift"
        func add(_ header: String...) -> (inout KataFiles) -> Void {
            { $0.mutants.append(.init(path: path, text: header.joined(separator: "\n"))) }
        }
        let core = SampleKata.core
        expect(.editDoesNotFit, path) { $0.mutants.append(.init(path: path, text: nil)) }
        expect(.answerWithoutHeader, path, by: add("import Combine"))
        expect(.mutantFailsNothing, path, by: add("// mutant: x", "// hint: \(core) adds"))
        expect(.rightAnswerNamesTests, path, by: add("// right: x", "// fails: \(core)"))
        expect(
            .headerTestUnknown, path, "SumTests/gone()",
            by: add("// mutant: x", "// fails: \(core)", "// may fail: SumTests/gone()", "// hint: \(core) adds"))
        expect(.headerHintMissing, path, by: add("// mutant: x", "// fails: \(core)"))
        expect(.headerHintMissing, path, by: add("// mutant: x", "// fails: \(core)", "// hint: adds"))
        expect(
            .headerHintTestPasses, path, SampleKata.robust,
            by: add("// mutant: x", "// fails: \(core)", "// hint: \(SampleKata.robust) nothing"))
    }

    @Test func everyTestIsFailedBySomeMutant() {
        expect(.testNotCaught, SampleKata.core, "Tests/SumTests/Mutants") { $0.mutants.remove(at: 1) }
        expect(.noRightAnswer, "Tests/SumTests/Mutants") { $0.mutants.remove(at: 2) }
    }

    @Test func theCodeOfTheUsualGuidePassesCoreAndNotAll() {
        let article = "Tests/SumTests/Mutants/Article.swift"
        expect(.articleFailsCore, article, SampleKata.core) {
            $0.mutants[0] = SampleKata.mutant(
                "Article", "// mutant: a", "// fails: \(SampleKata.core)", "// hint: \(SampleKata.core) adds")
        }
        let found = found {
            $0.mutants[0] = SampleKata.mutant("Article", "// mutant: a", "// hint: \(SampleKata.robust) nothing")
        }
        #expect(found.map(\.message.key) == [.mutantFailsNothing, .articleMasters])
    }
}
