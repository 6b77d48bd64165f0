import Storage
import Testing
import Workbook

@testable import Grading

@Suite("A suite and its kata.json name the same tests")
struct SuiteTestsTests {
    static func kata(_ tests: [String]) -> Kata {
        Kata(
            kata: "Tally", order: 1, phase: 1, interface: [],
            tests: tests.map { KataTest(id: $0, framework: .testing, tier: .core, points: 1, hint: "") })
    }

    static let suite = SuiteTests(functions: ["S/a", "S/b", "S/helper", "X/testC"], tests: ["S/a", "S/b", "X/testC"])
    static let workbook = WorkbookFolder(FixtureWorkbook.folder.url)

    @Test("The same names are accepted, with any parameters")
    func same() throws {
        try Self.suite.check(Self.kata(["S/a()", "S/b(name:)", "X/testC"]), in: Self.workbook)
    }

    @Test("A test that the suite does not have is named, with the folder of the suite")
    func missing() {
        let folder = Self.workbook.suite("Tally").path
        #expect(throws: GradingError(.testsNotInSuite, "Tally", "S/d(), X/testE", folder)) {
            try Self.suite.check(Self.kata(["S/a()", "S/b()", "S/d()", "X/testC", "X/testE"]), in: Self.workbook)
        }
    }

    @Test("A test that kata.json does not name is named, with the path of kata.json")
    func surplus() {
        let manifest = Self.workbook.exercise("Tally").path + "/kata.json"
        #expect(throws: GradingError(.testsNotInManifest, "Tally", "S/b, X/testC", manifest)) {
            try Self.suite.check(Self.kata(["S/a()"]), in: Self.workbook)
        }
    }

    @Test("The names of a suite's tests are read from the symbols of its object")
    func symbols() {
        let names = [
            // A test in a type of a type, with a parameter; a name in backticks; a static test; one outside of any type.
            "$s6TTests5OuterV5InnerV3par4nameySi_tF", "$s6TTests5OuterV5InnerV0019rawname_ohaIJBIAciayyF",
            "$s6TTests5OuterV5InnerV2styyYaKFZ", "$s6TTests3topyyF",
            // What the macro adds for `Outer.ext` and for `top`.
            "$s6TTests5OuterV010$s6TTests5B37V3ext4TestfMp_17Z783452cae81b96c4fMu_33_7EEAAA387FCE555445836F892CC6B704LLytvgZ",
            "$s6TTests44$s6TTests3top4TestfMp_16a4243255879e6870fMu_33_7EEAAA387FCE555445836F892CC6B704LLyyYaYbKF",
            // A function that is not a test.
            "$s6TTests3ActC6helper1xySi_tF",
        ]
        let testing = Self.suite(names, module: "TTests")
        #expect(
            Set(testing.functions) == [
                "Outer/Inner/par", "Outer/Inner/`raw\u{A0}name`", "Outer/Inner/st", "top", "Act/helper",
            ])
        #expect(testing.tests == ["Outer/ext", "top"])
        // A class of XCTest is known by its initializer: without one, `testReset` could be any function.
        let test = "$s10TallyTests0A7XCTestsC9testResetyyYaKF"
        let initializer = "$s10TallyTests0A7XCTestsC4name11testClosureACSS_y6XCTest0G4CaseCKctcfc"
        #expect(Self.suite([test], module: "TallyTests").tests == [])
        #expect(Self.suite([test, initializer], module: "TallyTests").tests == ["TallyXCTests/testReset"])
    }

    static func suite(_ symbols: [String], module: String) -> SuiteTests {
        let symbols = symbols.map { ObjectFile.Symbol(name: $0, binding: .global, section: 1) }
        return SuiteTests(ObjectFile(sections: [], symbols: symbols), module: module)
    }

    @Test(
        "A difference between the workbook's own files stops the preparation of grading",
        arguments: [
            (["TallyTests/adds()"], nil, LocalizableMessage.Key.testsNotInManifest, "TallyTests/adds"),
            (["TallyXCTests/testReset"], nil, .testsNotInManifest, "TallyXCTests/testReset"),
            ([], "TallyTests/subtracts()", .testsNotInSuite, "TallyTests/subtracts()"),
            ([], "TallyXCTests/testNothing", .testsNotInSuite, "TallyXCTests/testNothing"),
        ] as [(removed: [String], added: String?, key: LocalizableMessage.Key, named: String)])
    func prepare(removed: [String], added: String?, key: LocalizableMessage.Key, named: String) async throws {
        var kata = try FixtureWorkbook.kata()
        kata.tests.removeAll { removed.contains($0.id) }
        if let added {
            let framework: KataTest.Framework = added.hasSuffix("()") ? .testing : .xctest
            kata.tests.append(KataTest(id: added, framework: framework, tier: .core, points: 1, hint: ""))
        }
        let grader = try SubmissionGrader(workbook: FixtureWorkbook.folder, options: FixtureWorkbook.options())
        let error = await #expect(throws: GradingError.self) { try await grader.prepare(kata) }
        #expect(error?.message.key == key)
        #expect(error?.message.arguments.dropFirst().first == named)
    }
}
