import Foundation
import Synchronization
import TestSupport
import Testing
import Workbook

@testable import Grading

@Suite("The cache is used: a suite is compiled once", .serialized, .grades)
struct CacheTests {
    final class Trace: Sendable {
        private let events = Mutex<[TraceEvent.Step]>([])
        func note(_ event: TraceEvent) { events.withLock { $0.append(event.step) } }
        func take() -> [TraceEvent.Step] {
            events.withLock { all in
                defer { all = [] }; return all
            }
        }
    }

    @Test(
        "An unchanged file needs no compiler; a changed body compiles one file; a changed signature one suite once"
    )
    func steps() async throws {
        let trace = Trace()
        var options = FixtureWorkbook.options()
        options.usesCache = true
        options.trace = trace.note
        // A name that no other run of this test has used.
        let unique = "let unique\(UInt64.random(in: 0 ... .max)) = 1\n"
        let answer = try FixtureWorkbook.answer()
        _ = try await FixtureWorkbook.grade(answer, options: options)
        _ = trace.take()

        let first = try await FixtureWorkbook.grade(answer + unique, options: options)
        #expect(trace.take() == [.compileSubmission, .link, .run, .runForRaces, .runControls])
        let again = try await FixtureWorkbook.grade(answer + unique, options: options)
        #expect(trace.take() == [])
        #expect(first.outcome == .mastered && again.outcome == .mastered)
        #expect(first.tests == again.tests)

        let signature = answer.replacingOccurrences(
            of: "public func add(_ number: Int)",
            with: "public func add(_ number: Int, \(unique.split(separator: " ")[1]): Int = 0)")
        let changed = try await FixtureWorkbook.grade(signature, options: options)
        #expect(trace.take() == [.compileSubmission, .compileSuite, .link, .run, .runForRaces, .runControls])
        #expect(changed.outcome == .mastered, "\(changed.summary)")
        let body = try await FixtureWorkbook.grade(signature + unique, options: options)
        #expect(trace.take() == [.compileSubmission, .link, .run, .runForRaces, .runControls])
        #expect(body.outcome == .mastered)

        options.usesCache = false
        _ = try await FixtureWorkbook.grade(answer + unique, options: options)
        #expect(trace.take() == [.compileSubmission, .link, .run, .runForRaces, .runControls])
    }

    @Test("A verdict is not used for another seed")
    func seed() async throws {
        let trace = Trace()
        var options = FixtureWorkbook.options()
        options.usesCache = true
        options.trace = trace.note
        options.seed = UInt64.random(in: 0 ... .max)
        _ = try await FixtureWorkbook.grade(FixtureWorkbook.answer(), options: options)
        #expect(trace.take().contains(.run))
        _ = try await FixtureWorkbook.grade(FixtureWorkbook.answer(), options: options)
        #expect(trace.take() == [])
        options.seed &+= 1
        _ = try await FixtureWorkbook.grade(FixtureWorkbook.answer(), options: options)
        #expect(trace.take().contains(.run))
    }

    @Test("A verdict that a busy machine may have caused is not cached")
    func unsettled() async throws {
        let trace = Trace()
        var options = FixtureWorkbook.options()
        options.usesCache = true
        options.trace = trace.note
        options.limits.testSeconds = 1
        options.limits.suiteSeconds = 2
        let hanging = try FixtureWorkbook.answer().replacingOccurrences(of: "total += number", with: "while true {}")
        _ = try await FixtureWorkbook.grade(hanging, options: options)
        _ = trace.take()
        _ = try await FixtureWorkbook.grade(hanging, options: options)
        #expect(trace.take().contains(.run))
    }

    @Test("When the cache is full, the oldest verdicts go, and nothing that another grader may be running")
    func tidies() throws {
        let scratch = try ScratchFolder()
        let cache = CacheFolder(scratch("cache"))
        let files = FileManager.default
        func make(_ name: String, daysAgo days: Double, isFolder: Bool) throws {
            let thing = cache.url.appendingPathComponent(name)
            if isFolder {
                try files.createDirectory(at: thing, withIntermediateDirectories: true)
            } else {
                try Data().write(to: thing)
            }
            let date = Date(timeIntervalSinceNow: -days * 24 * 3600)
            try files.setAttributes([.modificationDate: date], ofItemAtPath: thing.path)
        }
        try make("harness-1", daysAgo: 6, isFolder: true)
        try make("harness-0", daysAgo: 8, isFolder: true)
        try make("suite-1", daysAgo: 8, isFolder: true)
        for day in 1...9 { try make("verdict-\(day)", daysAgo: Double(day) / 10, isFolder: false) }
        // Using it makes it new.
        cache.noteUse(of: cache.url.appendingPathComponent("suite-1"))

        cache.tidy(keeping: 12)
        #expect(try files.contentsOfDirectory(atPath: cache.url.path).count == 12)
        cache.tidy(keeping: 8)
        let left = try files.contentsOfDirectory(atPath: cache.url.path).sorted()
        #expect(left == ["harness-1", "suite-1", "verdict-1", "verdict-2", "verdict-3", "verdict-4"])
    }
}
