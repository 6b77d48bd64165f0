import Combine
import Foundation
import KataSupport
import Testing

/// The examples of `Sources/KataSupport/README.md`, as they stand there.
@Suite(.ownProcess) struct PageExamples {
    @Test func values() throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)  // three numbers, no two the same
        let words = values.strings(2)
        let other = values.reordered(numbers)  // the same numbers in another order
        #expect(Set(numbers) == Set(other) && words.count == 2)
    }

    @Test func comparisons() async throws {
        let numbers = [1, 2]
        try KataSupport.expect(numbers.map { $0 * 2 }, equals: [2, 4])
        try KataSupport.expect(numbers.first, isOneOf: [1, 2])

        let ended = try await KataSupport.result { throw KataSupport.Failure("offline") }
        try KataSupport.expect(ended, throws: KataSupport.Failure("offline"))
        let stopped = try await KataSupport.result { throw CancellationError() }
        try KataSupport.expectCancellation(stopped)
    }

    @Test func cases() async throws {
        for end in [Subscribers.Completion<Never>.finished] {
            try await KataSupport.inCase("\(end)") {
                let subscriber = KataSupport.ProbeSubscriber<Int, Never>()
                Just(7).subscribe(subscriber)
                try KataSupport.expect(subscriber.history, equals: ["7", "|"])
            }
        }
        var values = KataSupport.Values()
        let (old, new) = (values.strings(1), values.strings(1))
        try KataSupport.naming(["older": old, "newer": new]) {
            try KataSupport.expect(new, equals: new)  // a failure would say “newer”, and not the drawn text
        }
    }

    @Test func clock() async throws {
        let clock = KataSupport.TestClock()
        let history = KataSupport.Log<String>(time: clock)
        history.input("start")  // drawn above what was expected and what came
        Task {
            try await clock.sleep(for: .seconds(2))
            history.record("tick")
        }
        try await clock.untilSleeping()  // the task has come to its pause
        await clock.advance(by: .seconds(2))
        try history.expect([("tick", .seconds(2))])
    }

    @Test func scheduler() throws {
        let scheduler = KataSupport.TestScheduler()
        let subject = PassthroughSubject<Int, Never>()
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>(time: scheduler)
        subject.debounce(for: .milliseconds(300), scheduler: scheduler).subscribe(subscriber)
        subject.send(1)
        scheduler.advance(by: .milliseconds(300))
        try subscriber.expect([("1", .milliseconds(300))])
    }

    @Test func waiting() async throws {
        let history = KataSupport.Log<String>()
        Task { history.record("ready") }
        _ = try await history.until(count: 1)  // waits for it, or says what had come until then

        await KataSupport.settle()  // every other task and thread sleeps now
        let value = try await KataSupport.withDeadline { 7 }
        try KataSupport.expect(value, equals: 7)
        try await KataSupport.expectNothingLeftToRun()
    }

    @Test func gate() async throws {
        let gate = KataSupport.Gate()
        let count = KataSupport.Observed(0)
        Task {
            try await gate.pass()  // an operation that takes as long as the test wants
            count.update { $0 += 1 }
        }
        try await gate.untilWaiting(atLeast: 1)
        gate.open()
        try await count.until { $0 == 1 }
    }

    @Test func publishers() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Never>()
        let first = publisher.first().sink { _ in }
        try await publisher.subscribed()
        publisher.send(7)
        try await publisher.cancelled()
        try KataSupport.expect(publisher.asked, equals: .unlimited)
        _ = first
    }

    @Test func subscribers() async throws {
        let subscriber = KataSupport.ProbeSubscriber<Int, Never>(demand: .max(1))
        [1, 2].publisher.subscribe(subscriber)
        try KataSupport.expect(subscriber.values, equals: [1])
        subscriber.request(.unlimited)
        try await subscriber.ended()
        try KataSupport.expect(subscriber.history, equals: ["1", "2", "|"])
    }

    @Test func sequences() async throws {
        let loop = KataSupport.Loop { AsyncStream { $0.yield(1) } }
        try await loop.received(1)
        loop.cancel()
        try await loop.ended()

        let steps = KataSupport.Steps(of: [1, 2].publisher.values)
        try KataSupport.expect(try await steps.next(), equals: 1)
        steps.drop()
    }

    @Test func cancellation() async throws {
        let probe = KataSupport.CancellationProbe()
        let task = Task { try await probe.run() }  // an operation that goes on until it is cancelled
        try await probe.started()
        task.cancel()
        try await probe.cancelled()
    }

    @Test func memory() async throws {
        let probe = KataSupport.LeakProbe()
        var closure: (() -> Void)? = { [token = probe.token()] in _ = token }
        closure?()
        closure = nil
        try await probe.released()

        weak var released: NSObject? = NSObject()
        try await KataSupport.expectReleased { released }
    }

    @Test func threads() async throws {
        try await KataSupport.explore { race in
            let count = KataSupport.Observed(0)
            let add: @Sendable () -> Void = { count.update { $0 += 1 } }
            try await race.threads(add, add)
            try KataSupport.expect(count.value, equals: 2)
        }
        try await KataSupport.inAnyOrder {
            let (first, second) = (Task { 1 }, Task { 2 })
            try KataSupport.expect(await first.value + second.value, equals: 3)
        }
    }

    @Test func otherThreads() async throws {
        let count = KataSupport.Observed(0)
        try await KataSupport.onThreads(2) { _ in count.update { $0 += 1 } }
        await KataSupport.whileMainActorIsBusy { count.update { $0 += 1 } }
        try await KataSupport.expectNoBlockedThread {
            for _ in 0..<KataSupport.manyWaits { Task { await Task.yield() } }
        }
        try KataSupport.expect(count.value, equals: 3)
    }
}

@Suite struct PageTests {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources/KataSupport").standardizedFileURL

    private static func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

    /// Lines without what is left of them.
    private static func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    @Test("Each example of the page is one that runs here")
    func examplesRun() throws {
        let page = try Self.text(Self.sources.appendingPathComponent("README.md"))
        let own = Self.lines(try Self.text(URL(fileURLWithPath: #filePath))).joined(separator: "\n")
        let examples = page.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        #expect(examples.count > 10)
        for example in examples {
            let code = Self.lines(example.drop { $0 != "\n" }).joined(separator: "\n")
            #expect(own.contains(code), "\(code)")
        }
    }

    @Test("The page names every public declaration at the top level")
    func namesAreThere() throws {
        let page = try Self.text(Self.sources.appendingPathComponent("README.md"))
        var names: Set<String> = []
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
        for file in files where file.hasSuffix(".swift") {
            let source = try Self.text(Self.sources.appendingPathComponent(file))
            let pattern = /(?m)^public (?:final )?(?:class|struct|enum|protocol|func|let) (\w+)/
            names.formUnion(source.matches(of: pattern).map { String($0.output.1) })
        }
        #expect(names.count > 40)
        #expect(names.filter { !page.contains("`\($0)") }.sorted() == [])
    }
}
