// Tests that have to fail, which run before, between and after the suite's. A run in which one of them does not fail as it
// should has not told the truth of the others either.
//
// The engine puts random words in place of all names of 16 letters that begin with `control` (see `ControlTests` there).
import KataSupport
import Testing
import XCTest

@Suite struct Controltestsuite {
    @Test func controltestfirst() throws {
        #expect("controltestfirst" == "Controltestsuite")
        try expect("controltestfirst", equals: "Controltestsuite")
    }

    @Test func controltestmidst() throws {
        #expect("controltestmidst" == "Controltestsuite")
        try expect("controltestmidst", equals: "Controltestsuite")
    }

    @Test func controltestfinal() throws {
        #expect("controltestfinal" == "Controltestsuite")
        try expect("controltestfinal", equals: "Controltestsuite")
    }
}

final class Controlcasesuite: XCTestCase {
    func controlcasefirst() throws {
        XCTAssertEqual("controlcasefirst", "Controlcasesuite")
        try expect("controlcasefirst", equals: "Controlcasesuite")
    }

    func controlcasemidst() throws {
        XCTAssertEqual("controlcasemidst", "Controlcasesuite")
        try expect("controlcasemidst", equals: "Controlcasesuite")
    }

    func controlcasefinal() throws {
        XCTAssertEqual("controlcasefinal", "Controlcasesuite")
        try expect("controlcasefinal", equals: "Controlcasesuite")
    }
}

@_silgen_name("kataControlTests") public func kataControlTests() -> [(id: String, entry: XCTestCaseEntry)] {
    let tests = [
        ("controlcasefirst", Controlcasesuite.controlcasefirst),
        ("controlcasemidst", Controlcasesuite.controlcasemidst),
        ("controlcasefinal", Controlcasesuite.controlcasefinal),
    ]
    return tests.map { ("Controlcasesuite/\($0.0)", testCase([$0])) }
}
