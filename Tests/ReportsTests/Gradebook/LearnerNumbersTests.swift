import Testing
import Workbook

@testable import Reports

@Suite("The numbers that replace names")
struct LearnerNumbersTests {
    private func numbers(_ names: [String], in csv: String = "") -> LearnerNumbers {
        var numbers = LearnerNumbers(csv: csv)
        var generator = SystemRandomNumberGenerator()
        numbers.add(names, using: &generator)
        return numbers
    }

    private let names = ["Ana, \"la\" García", "=1+1", "bob", "민수"]

    @Test("are one for each name, and do not change when a learner is added later")
    func stable() {
        let first = numbers(names)
        #expect(names.map(first.label).sorted() == ["0001", "0002", "0003", "0004"])
        let later = numbers(names + ["zoe"], in: first.csv)
        #expect(names.map(later.label) == names.map(first.label))
        #expect(later.label("zoe") == "0005")
        #expect(LearnerNumbers(csv: later.csv) == later)
        #expect(later.label("stranger") == "?")
    }

    @Test("are read also after a spreadsheet has saved them, without zeros and with its own separator")
    func spreadsheet() {
        let first = numbers(["bob"])
        let saved = first.csv.replacing(",", with: ";").replacing("0001", with: "1")
        #expect(numbers(["bob", "zoe"], in: saved).label("bob") == "0001")
    }

    @Test("replace every name in a record: the folder's name and names that the learner's code printed")
    func anonymous() {
        var record = SampleClass.records.first { $0.learner == "bob" } ?? SampleClass.absent
        record.learner = "Ana García"
        record.sources = ["garcia_1"]
        record.identity = PlatformIdentity(number: "77777", github: "anag", email: "a@example.org", isLate: true)
        record.katas[0].path = "AnaGarcia.zip/FirstValue.swift"
        record.katas[0].verdict.tests[0].output = "written by anag, Ana"
        record.katas[0].verdict.tests[0].messages = [LocalizableMessage(.mismatch, "1", "ana garcía")]
        let anonymous = numbers(["Ana García"]).anonymous(record)
        #expect(anonymous.learner == "0001" && anonymous.sources == ["0001"])
        #expect(anonymous.identity == PlatformIdentity(isLate: true))
        #expect(anonymous.katas[0].path == "0001.zip/FirstValue.swift")
        #expect(anonymous.katas[0].verdict.tests[0].output == "written by 0001, 0001")
        #expect(anonymous.katas[0].verdict.tests[0].messages == [LocalizableMessage(.mismatch, "1", "0001")])
        #expect(anonymous.katas[0].verdict.points == record.katas[0].verdict.points)
    }
}
