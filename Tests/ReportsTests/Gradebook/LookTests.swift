import Foundation
import Testing
import Workbook

@testable import Reports

@Suite("Why a person should look at a submission")
struct LookTests {
    private static let look = "The C function `sqrt` is used as a value."

    /// Bob's answer is mastered, and worth a look.
    private static var recordsToLookAt: [LearnerRecord] {
        SampleClass.records.map { record in
            var record = record
            guard record.learner == "bob" else { return record }
            record.katas[0].verdict.reasonsToLook = [
                ReasonToLook(LocalizableMessage(.lookCFunction, "sqrt"), line: 12),
                ReasonToLook(LocalizableMessage(.lookCModule, "Glibc")),
            ]
            return record
        }
    }

    @Test("is told to the instructor, and takes no points")
    func instructor() throws {
        try SampleClass.withReport(.english, Self.recordsToLookAt) { (folder: URL) throws in
            let data = try Data(contentsOf: folder.appendingPathComponent("gradebook.json"))
            let book = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            let learners = try #require(book["learners"] as? [[String: Any]])
            let bob = try #require(learners.first { $0["learner"] as? String == "bob" })
            let looks = try #require(bob["look"] as? [[String: Any]])
            #expect(looks.map { $0["kata"] as? String } == ["FirstValue", "FirstValue"])
            #expect(looks.map { $0["line"] as? Int } == [12, nil])
            #expect(looks[0]["reason"] as? String == Self.look)
            #expect(looks[1]["line"] is NSNull)
            #expect(learners.filter { ($0["look"] as? [Any])?.isEmpty == true }.count == learners.count - 1)
            #expect((book["totals"] as? [String: Any])?["toLookAt"] as? Int == 1)
            let table = try String(contentsOf: folder.appendingPathComponent("gradebook.csv"), encoding: .utf8)
            let line = try #require(table.split(separator: "\r\n").first { $0.hasPrefix("bob,4,4,mastered,4,") })
            #expect(line.contains("Worth a look: FirstValue.swift:12: \(Self.look)"))
        }
    }

    @Test("is not in what a learner may get")
    func learners() throws {
        let plain = try SampleClass.withReport(formats: ["pages", "junit", "gradescope", "exercism"], Self.texts)
        let marked = try SampleClass.withReport(
            .english, Self.recordsToLookAt, formats: ["pages", "junit", "gradescope", "exercism"], Self.texts)
        #expect(plain.keys.contains { $0.hasPrefix("pages/") } && plain.keys.contains { $0.hasPrefix("exercism/") })
        #expect(plain == marked)
        let record = try #require(Self.recordsToLookAt.first { $0.learner == "bob" })
        let report = try LearnerReport(record, katas: [SampleClass.kata], localization: SampleClass.localization())
        for format in ReportFormats.forSubmissions {
            #expect(try !format.text(report, seed: 7, language: .english).contains(Self.look), "\(format.name)")
        }
    }

    /// The files of learners, by their paths.
    private static func texts(_ report: URL) throws -> [String: String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: report.path).filter { $0.contains("/") }
        return Dictionary(
            uniqueKeysWithValues: paths.compactMap { path in
                FileManager.default.contents(atPath: report.appendingPathComponent(path).path).map {
                    (path, String(decoding: $0, as: UTF8.self))
                }
            })
    }
}
