import Foundation
import Testing
import Workbook

@testable import Reports

@Suite("A platform's table") struct PlatformTableTests {
    @Test(
        "stays the same to the last byte where nothing is changed",
        arguments: [
            "", "a", "a,b", "a,b\n", "a,b\r\n1,2\r\n", "\u{FEFF}\"a;b\";c\n1;2", "a,b\n\n\"x\ny\",\"\"\"\"\n,\n",
            "\"never closed",
        ])
    func unchanged(text: String) {
        #expect(PlatformTable(text).data == Data(text.utf8))
    }

    @Test("changes a cell, and no other byte")
    func changed() {
        var table = PlatformTable("\u{FEFF}Name; Grade ;\"X\"\r\n\r\n\"a;\"\"b\"\"\";;c\r\nd;1")
        #expect(table.columns == ["Name", "Grade", "X"])
        #expect(table.body.count == 2 && table.text(1, 0) == "a;\"b\"" && table.text(2, 2) == "")
        table.set(1, table.column("points", "grade"), to: "7,5")
        table.set(1, 2, to: "say \"hi\"")
        table.set(2, 2, to: "there is no such cell")
        #expect(
            String(decoding: table.data, as: UTF8.self)
                == "\u{FEFF}Name; Grade ;\"X\"\r\n\r\n\"a;\"\"b\"\"\";\"7,5\";\"say \"\"hi\"\"\"\r\nd;1")
    }

    @Test("keeps bytes that are no UTF-8")
    func otherEncoding() {
        var table = PlatformTable(Array("Name,Grade\nJos".utf8) + [0xE9] + Array(",\n".utf8))
        table.set(1, 1, to: "3")
        #expect(table.data == Data(Array("Name,Grade\nJos".utf8) + [0xE9] + Array(",3\n".utf8)))
    }

    @Test(
        "has grades in its own scale",
        arguments: [
            (2, 3, "10.00", "6.67"), (1, 3, "10,00", "3,33"), (3, 3, "", "3.00"), (0, 3, "5", "0.00"),
            (1, 200, "1", "0.01"),
            (5, 5, "a scale", "5.00"), (4, 4, "0.00", "4.00"), (1, 2, "1,000.00", "500.00"),
            (1, 2, "1.000,00", "500,00"),
        ])
    func grades(points: Int, of maxPoints: Int, most: String, grade: String) {
        let mark = PlatformMarks.Mark(learner: "ana", points: points, maxPoints: maxPoints, feedback: "")
        #expect(mark.grade(most: most) == grade)
    }

    private func record(_ learner: String, number: String? = nil, github: String? = nil) -> LearnerRecord {
        LearnerRecord(learner: learner, sources: [learner], identity: PlatformIdentity(number: number, github: github))
    }

    @Test("names its learners: by number, account or address, and else by a name that one of them has")
    func roster() throws {
        var roster = try Roster(
            PlatformTable(
                "identifier,github_username,github_id,name\nAnn,ann-x,1,Ann Day\nBo,,,\"Ray, Bo\"\nC1,,,Cy\nC2,,,Cy\n"))
        #expect(roster.found(record("katas-ann-x", github: "Ann-X"))?.identity?.number == "Ann")
        #expect(roster.found(record("raybo")) != nil)
        #expect(roster.found(record("Cy")) == nil)
        #expect(roster.found(record("Ann Day", number: "5")) == nil)
        #expect(roster.absent([SampleClass.kata]).map(\.learner) == ["Cy (C1)", "Cy (C2)"])
    }

    @Test("a name with a comma is one learner's, where nobody says that it is those of several")
    func commas() {
        func keys(_ learner: String, _ known: Set<String>) -> Set<String> {
            LearnerName.keys(of: learner) { known.contains($0) }
        }
        #expect(keys("Doe, Jane", ["doejane", "doe", "jane"]) == ["doejane"])
        #expect(keys("Li, Wei", ["wei"]) == ["liwei"])
        #expect(keys("Ana Lee, Bob Ray", ["analee", "bobray"]) == ["analee", "bobray"])
        #expect(keys("Cy", ["cy"]) == ["cy"])
    }

    @Test("a team is all of its learners, and nobody is absent who is in one")
    func team() throws {
        var roster = try Roster(PlatformTable("name,number\nAna Lee,1\nBob Ray,2\nCy,3\n"))
        #expect(roster.found(record("Ana Lee, Bob Ray", number: "1, 2"))?.identity?.number == "1, 2")
        #expect(roster.absent([]).map(\.learner) == ["Cy"])
    }
}
