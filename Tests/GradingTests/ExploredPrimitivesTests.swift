import Foundation
import Storage
import TestSupport
import Testing
import Workbook

@testable import Grading

#if os(Linux)
/// Small answers of two threads each, graded by the fast engine. What is right is never accused, in no order; what is wrong is
/// found, with its lines.
@Suite struct ExploredPrimitivesTests {
    @Test(arguments: [7, 8] as [UInt64])
    func whatKeepsThreadsApartIsNeverAccused(seed: UInt64) async throws {
        let verdict = try await Cases("Right").grade(seed: seed)
        #expect(verdict.outcome == .mastered, "\(verdict.failures)")
    }

    /// Timers, threads that the system holds, tables that are full.
    @Test func whatTheSchedulerDoesNotRunIsNeverAccused() async throws {
        let verdict = try await Cases("Outside").grade(seed: 7)
        #expect(verdict.outcome == .mastered, "\(verdict.failures)")
    }

    /// The scheduler runs no thread that was there before it.
    @Test func aThreadThatWasThereBeforeIsWaitedFor() async throws {
        let cases = try Cases(
            "Outside", only: { $0 == "globalThread" }, meeting: Cases.exploring(after: "meeting(name).work(2)"))
        let verdict = try await cases.grade(seed: 7)
        #expect(verdict.outcome == .mastered, "\(verdict.failures)")
    }

    @Test(arguments: [7, 8, 9] as [UInt64])
    func whatIsWrongIsFound(seed: UInt64) async throws {
        let cases = try Cases("Wrong")
        let verdict = try await cases.grade(seed: seed)
        for name in cases.names {
            let test = try #require(verdict.tests.first { $0.id == Cases.test(name) })
            let marked = cases.linesMarked(name)
            let said = "\(name): \(test.messages) \(String(describing: test.race)) \(String(describing: test.schedule))"
            #expect(test.outcome == (name == "useBeforeInit" ? .crashed : .failed), "\(said)")
            if Self.races.contains(name) {
                #expect(test.race.map { Set($0.lines.map(\.line)) } == marked, "\(said)")
                #expect(test.race?.lines.count == 2, "\(said)")
            } else {
                #expect(test.race == nil, "\(said)")
                let waits = test.schedule?.waits ?? []
                #expect(Set(waits.compactMap(\.line)).isSuperset(of: marked), "\(said)")
                #expect(Set(waits.map(\.on)) == Set([Self.causes[name]].compactMap(\.self)), "\(said)")
            }
        }
    }

    /// Nothing explores here: what has passed is run once more for the accesses that meet in it.
    @Test func aRaceIsFoundInATestThatExploresNothing() async throws {
        let cases = try Cases("Wrong", only: Self.races.contains, meeting: Cases.together, tier: .robust)
        let verdict = try await cases.grade(seed: 7)
        #expect(verdict.outcome == .passed)
        for name in cases.names {
            let test = try #require(verdict.tests.first { $0.id == Cases.test(name) })
            let said = "\(name): \(test.messages) \(String(describing: test.race))"
            #expect(test.kind == "dataRace", "\(said)")
            #expect(test.race.map { Set($0.lines.map(\.line)) } == cases.linesMarked(name), "\(said)")
        }
    }

    @Test func whatKeepsThreadsApartIsNotAccusedInATestThatExploresNothing() async throws {
        // Outside of an exploration, its two seconds are longer than a test may wait.
        let cases = try Cases("Right", only: { $0 != "asyncAfter" }, meeting: Cases.together, tier: .robust)
        let verdict = try await cases.grade(seed: 7)
        #expect(verdict.outcome == .mastered, "\(verdict.failures)")
    }

    @Test(arguments: ["counter", "checkThenAct", "storedTooLate", "orderOfLocks"])
    func anOrderThatWasFoundIsFoundAgain(name: String) async throws {
        let cases = try Cases("Wrong", only: { $0 == name })
        let found = try #require(try await cases.grade(seed: 7).tests.first)
        let text = try #require(found.schedule?.text)
        let again = try #require(try await cases.grade(seed: 8, schedule: text).tests.first)
        #expect(again.kind == found.kind)
        #expect(again.race == found.race)
        #expect(again.schedule?.text == text)
    }

    /// Nothing explores here: the monitor of waits knows when threads wake by themselves.
    @Test func whatComesLateIsWaitedForAndWhatNeverComesIsNot() async throws {
        let verdict = try await Cases("Late", meeting: Cases.waiting).grade(seed: 7)
        let failed = verdict.tests.filter { $0.outcome != .passed }
        #expect(failed.map(\.id) == [Cases.test("never")], "\(verdict.failures)")
        #expect(failed.first?.kind == "nothing")
    }

    private static let races: Set = [
        "counter", "dictionary", "weakReference", "existential", "enumeration", "missedLock", "readerWithoutLock",
        "queueForWritesOnly", "doubleChecked",
    ]
    /// What the threads of a deadlock wait for.
    private static let causes: [String: Schedule.Wait.Cause] = [
        "orderOfLocks": .lock, "orderOfMutexes": .lock, "orderOfQueues": .queue, "lockTwice": .lock,
        "lostNotify": .condition, "lostSignal": .semaphore,
    ]
}

extension Verdict {
    fileprivate var failures: [String] {
        diagnostics.filter { $0.severity == .error }.map { "\($0.line): \($0.message)" }
            + tests.filter { $0.outcome != .passed }.map { "\($0.id): \($0.outcome) \($0.kind ?? "") \($0.messages)" }
    }
}

/// A workbook of one kata, made of an answer with many cases. Each case has a test.
private final class Cases: Sendable {
    let names: [String]
    private let text: String
    private let folder: URL
    private let tier: KataTest.Tier

    /// - Parameter meeting: what each test does with its case.
    init(
        _ file: String, only isWanted: (String) -> Bool = { _ in true }, meeting: String = exploring(),
        tier: KataTest.Tier = .core
    ) throws {
        self.tier = tier
        let fixture = FixtureWorkbook.testFolder.appendingPathComponent("Fixtures/Schedules/\(file).swift")
        text = try String(contentsOf: fixture, encoding: .utf8)
        names = text.matches(of: /"(\w+)": (?:\w+\.init|\{)/).map { String($0.1) }.filter(isWanted)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("cases-\(UUID().uuidString)")
        try write(Self.stub, "Exercises/Meeting/Meeting.swift")
        try write(text, "Solutions/Meeting/Meeting.swift")
        try write(text, "Answer/Meeting.swift")
        let tests = names.map { "    @Test func \($0)() async throws { try await meet(\"\($0)\") }\n" }
        try write(
            "\(Self.imports)\n\(meeting)\n@Suite(.ownProcess) struct MeetingTests {\n\(tests.joined())}\n",
            "Tests/MeetingTests/MeetingTests.swift")
        try write(Self.xctests, "Tests/MeetingTests/MeetingXCTests.swift")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ text: String, _ path: String) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    static func test(_ name: String) -> String { "MeetingTests/\(name)()" }

    /// The lines at the end of which a case's name stands.
    func linesMarked(_ name: String) -> Set<Int> {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return Set(lines.indices.filter { lines[$0].hasSuffix("// \(name)") }.map { $0 + 1 })
    }

    func grade(seed: UInt64, schedule: String? = nil) async throws -> Verdict {
        var options = FixtureWorkbook.options()
        options.seed = seed
        options.schedule = schedule
        let tests =
            names.map { KataTest(id: Self.test($0), framework: .testing, tier: tier, points: 1, hint: $0) }
            + [KataTest(id: "MeetingXCTests/testSum", framework: .xctest, tier: .core, points: 1, hint: "sum")]
        let kata = Kata(kata: "Meeting", order: 1, phase: 1, interface: Self.interface, tests: tests)
        let grader = try SubmissionGrader(workbook: WorkbookFolder(folder), options: options)
        let file = folder.appendingPathComponent("Answer/Meeting.swift")
        return try await grader.grade(Submission(kata: kata, file: file, displayPath: "Meeting.swift"))
    }

    private static let interface = [
        "public class Meeting", "public func work(_ thread: Int)", "public func value() async -> Int",
        "public func meeting(_ name: String) -> Meeting",
    ]
    private static let stub = """
        public class Meeting {
            public func work(_ thread: Int) {}
            public func value() async -> Int { 0 }
        }

        public func meeting(_ name: String) -> Meeting { Meeting() }

        """
    private static let imports = """
        import KataSupport
        import Meeting
        import Testing

        """
    static let waiting = """
        func meet(_ name: String) async throws {
            let value = try await KataSupport.withDeadline { await meeting(name).value() }
            try expect(value, equals: 2)
        }

        """
    static let together = """
        func meet(_ name: String) async throws {
            let meeting = meeting(name)
            await withTaskGroup { group in
                for thread in 0..<2 { group.addTask { meeting.work(thread) } }
            }
            await KataSupport.settle()
            try expect(await meeting.value() > 0, equals: true)
        }

        """
    static func exploring(after beginning: String = "") -> String {
        """
        func meet(_ name: String) async throws {
            \(beginning)
            try await KataSupport.explore { race in
                let meeting = meeting(name)
                try await race.threads({ meeting.work(0) }, { meeting.work(1) })
                try expect(await meeting.value(), equals: 2)
            }
        }

        """
    }
    private static let xctests = """
        import XCTest

        final class MeetingXCTests: XCTestCase {
            func testSum() { XCTAssertEqual(1 + 1, 2) }
        }

        """
}
#endif
