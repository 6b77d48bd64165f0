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
        #expect(trace.take() == [.compileSubmission, .link, .run])
        let again = try await FixtureWorkbook.grade(answer + unique, options: options)
        #expect(trace.take() == [])
        #expect(first.outcome == .mastered && again.outcome == .mastered)
        #expect(first.tests == again.tests)

        let signature = answer.replacingOccurrences(
            of: "public func add(_ number: Int)",
            with: "public func add(_ number: Int, \(unique.split(separator: " ")[1]): Int = 0)")
        let changed = try await FixtureWorkbook.grade(signature, options: options)
        #expect(trace.take() == [.compileSubmission, .compileSuite, .link, .run])
        #expect(changed.outcome == .mastered, "\(changed.summary)")
        let body = try await FixtureWorkbook.grade(signature + unique, options: options)
        #expect(trace.take() == [.compileSubmission, .link, .run])
        #expect(body.outcome == .mastered)

        options.usesCache = false
        _ = try await FixtureWorkbook.grade(answer + unique, options: options)
        #expect(trace.take() == [.compileSubmission, .link, .run])
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
}
