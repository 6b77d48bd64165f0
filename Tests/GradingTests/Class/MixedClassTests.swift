import Foundation
import TestSupport
import Testing
import Workbook

@testable import Grading

/// A class in which some learners want to harm the others.
///
/// A small one, unless `MIXED_CLASS` says how many are hostile; for each of them there are three who are not.
@Suite("A class of honest and hostile learners", .needs(.bubblewrap), .grades)
struct MixedClassTests {
    private let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("mixed-\(UUID().uuidString)")
    private var hostileCount: Int { ProcessInfo.processInfo.environment["MIXED_CLASS"].flatMap { Int($0) } ?? 4 }

    /// What honest learners hand in: right and odd, wrong in their own ways, and not a program at all.
    private func honest() throws -> [String] {
        let answer = try FixtureWorkbook.answer()
        return [
            answer, answer.replacing("+=", with: "-="), answer.replacing("total = 0 }", with: "total = 1 }"),
            answer.replacing("throw NoValue()", with: "fatalError()"),
            answer.replacing("return value", with: "continue"), answer.replacing("actor", with: "acter"),
            answer.replacing("public func reset", with: "func reset"),
        ] + SubmissionFile.all(in: "Honest").map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    private func write(_ text: String, learner: String, to folder: String) throws {
        let submission = scratch.appendingPathComponent("\(folder)/\(learner)")
        try FileManager.default.createDirectory(at: submission, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: submission.appendingPathComponent("Tally.swift"))
    }

    /// Each learner's record without what differs from run to run: how long it took, and what was printed. A learner
    /// prints the time and the running total, and a hundred tasks add to that in any order.
    private func grade(_ folder: String) async throws -> [String: LearnerRecord] {
        var options = FixtureWorkbook.options()
        options.sandbox = .required
        options.limits.suiteSeconds = 10
        options.limits.testSeconds = 4
        options.limits.processorSeconds = 6
        options.limits.memoryMegabytes = 1500
        options.limits.compileSeconds = 20
        let grader = try SubmissionGrader(workbook: FixtureWorkbook.folder, options: options)
        let report = scratch.appendingPathComponent("\(folder) report")
        let grading = ClassGrading(
            scratch.appendingPathComponent(folder), report: report, katas: [try FixtureWorkbook.kata()], shard: nil,
            grader: grader)
        let failures = try await grading.run { _ in }
        #expect(failures == [:])
        var records: [String: LearnerRecord] = [:]
        for var record in try ClassRecordFile.Reader(report) {
            record.time = nil
            for index in record.katas.indices {
                record.katas[index].verdict.seconds = 0
                for test in record.katas[index].verdict.tests.indices {
                    record.katas[index].verdict.tests[test].output = ""
                    record.katas[index].verdict.tests[test].outputCut = 0
                }
            }
            records[record.learner] = record
        }
        return records
    }

    @Test("Each honest verdict is the same as without the hostile learners")
    func mixed() async throws {
        defer { try? FileManager.default.removeItem(at: scratch) }
        let honest = try honest()
        let hostile = SubmissionFile.all(in: "Hostile")
        let everyone = hostileCount * 4
        for number in 0..<everyone {
            // The names mix the two kinds of learners.
            let name = "learner \(1000 + number)"
            if number.isMultiple(of: 4) {
                let file = hostile[number / 4 * hostile.count / hostileCount]
                try write(String(decoding: file.bytes, as: UTF8.self), learner: name, to: "mixed")
            } else {
                let text = honest[(number - number / 4) % honest.count] + "\n// \(number)\n"
                try write(text, learner: name, to: "mixed")
                try write(text, learner: name, to: "honest")
            }
        }
        let alone = try await grade("honest")
        let together = try await grade("mixed")
        #expect(alone.count == hostileCount * 3 && together.count == everyone)
        for (learner, record) in alone { #expect(together[learner] == record, "\(learner)") }
        for (learner, record) in together where alone[learner] == nil {
            #expect(record.katas.allSatisfy { !$0.verdict.isPassed }, "\(record)")
        }
        // There is something that the others could have changed.
        let outcomes = Set(alone.values.flatMap(\.katas).map(\.verdict.outcome))
        #expect(outcomes.isSuperset(of: [.mastered, .failed, .didNotCompile]), "\(outcomes)")
    }
}
