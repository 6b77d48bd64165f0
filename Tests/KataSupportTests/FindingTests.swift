import Foundation
import KataSupport
import Testing

@Suite(.ownProcess) struct FindingTests {
    @Test func aMismatchCarriesItsFinding() throws {
        let error = #expect(throws: KataSupport.Mismatch.self) { try KataSupport.expect([1, 2], equals: [2, 1]) }
        // Nobody but a grader sees more than the sentence.
        let mismatch = try #require(error)
        #expect(mismatch.description == "Expected 2, 1, but got 1, 2.")
        let json = mismatch.finding.line.dropFirst("finding: ".count)
        let finding = try JSONDecoder().decode(KataSupport.Finding.self, from: Data(json.utf8))
        #expect(finding == .init(key: "mismatch", arguments: ["2, 1", "1, 2"], kind: .reordered))
    }

    @Test(arguments: [("swift", "swift"), ("swift ", "\"swift \""), ("", "\"\""), ("a\n", "\"a\\n\""), ("空 白", "空 白")])
    func aTextHasQuotesWhereItsEdgesWouldNotBeSeen(text: String, shown: String) {
        let one = #expect(throws: KataSupport.Mismatch.self) { try KataSupport.expect(text, equals: "other") }
        let several = #expect(throws: KataSupport.Mismatch.self) { try KataSupport.expect([text, "b"], equals: ["b"]) }
        #expect(one?.actual == shown)
        #expect(several?.actual == shown + ", b")
    }

    @Test func aFindingSaysInWhichCaseItWas() async throws {
        let different = await #expect(throws: (any Error).self) {
            try await KataSupport.inCase("cancelled") { try KataSupport.expect("a", equals: "b") }
        }
        let finding = try #require(different as? any KataSupport.FindingError).finding
        #expect(finding == .init(key: "mismatch", arguments: ["cancelled: b", "cancelled: a"], kind: .different))
        let leaked = await #expect(throws: (any Error).self) {
            final class Seen {}
            let object = Seen()
            try await KataSupport.inCase("failed") { try await KataSupport.expectReleased { object } }
        }
        let wait = try #require(leaked as? any KataSupport.FindingError).finding
        #expect(wait == .init(key: "leakedInCase", arguments: ["failed"], kind: .nothing))
        #expect(try await KataSupport.inCase("finished") { 1 } == 1)
    }

    @Test func valuesThatCameLaterHaveNamesThatSaySo() throws {
        let (older, newer) = (["kotav", "nwcjo"], ["vmtry"])
        let error = #expect(throws: (any Error).self) {
            try KataSupport.naming(["older": older, "newer": newer]) {
                try KataSupport.expect(older, equals: newer)
            }
        }
        let finding = try #require(error as? any KataSupport.FindingError).finding
        #expect(finding.arguments == ["newer", "older 1, older 2"])
        try KataSupport.naming(["newer": newer]) { try KataSupport.expect(newer, equals: newer) }
    }

    @Test func equalResultsPass() throws {
        try KataSupport.expect("a", equals: "a")
    }

    @Test func aHistoryThatDiffersIsDrawn() async throws {
        let clock = KataSupport.TestClock()
        let log = KataSupport.Log<String>(time: clock)
        log.record("a")
        await clock.advance(by: .milliseconds(200))
        log.record("b")
        let error = #expect(throws: KataSupport.Mismatch.self) {
            try log.expect([("a", .zero), ("b", .milliseconds(300))])
        }
        #expect(error?.expected == "a @0 ms, b @300 ms")
        #expect(error?.finding.marbles?.actual.map(\.milliseconds) == [0, 200])
        #expect(error?.description.contains("expected  a-") == true)
    }

    @Test func aHistoryOfLongTimesHasOneUnit() throws {
        let clock = KataSupport.TestClock()
        let log = KataSupport.Log<String>(time: clock)
        let error = #expect(throws: KataSupport.Mismatch.self) {
            try log.expect([("a", .milliseconds(9500)), ("b", .seconds(11))])
        }
        #expect(error?.expected == "a @9.5 s, b @11 s")
    }

    @Test func whatATestSentIsDrawnAboveWhatCame() async throws {
        let clock = KataSupport.TestClock()
        let subscriber = KataSupport.ProbeSubscriber<String, any Error>(time: clock)
        await clock.advance(by: .milliseconds(100))
        subscriber.input("a1")
        _ = subscriber.receive("a1")
        let error = #expect(throws: KataSupport.Mismatch.self) {
            try subscriber.expect([("a1", .milliseconds(200))])
        }
        #expect(error?.finding.marbles?.input == [.init(milliseconds: 100, label: "a1")])
        #expect(error?.description.contains("input     ---") == true)
        #expect(subscriber.history == ["a1"])
    }

    /// What a finding is in JSON, for a log with so many inputs.
    private func json(inputs: Int) throws -> Data {
        let log = KataSupport.Log<String>()
        for number in 0..<inputs { log.input("a\(number)") }
        let error = #expect(throws: KataSupport.Mismatch.self) { try log.expect([("b", .zero)]) }
        return Data(try #require(error).finding.line.dropFirst("finding: ".count).utf8)
    }

    @Test func withoutInputAFindingIsWhatItWas() throws {
        let text = try #require(String(bytes: json(inputs: 0), encoding: .utf8))
        #expect(text.contains(#""marbles":{"actual":[],"expected":"#))
    }

    @Test func muchInputIsCut() throws {
        let finding = try JSONDecoder().decode(KataSupport.Finding.self, from: json(inputs: 300))
        #expect(finding.marbles?.input?.count == 200)
        #expect(finding.cut == 400)
        #expect(finding.marbles?.expected.map(\.label) == ["b"])
    }

    @Test func aMirrorDoesNotShowWhatALogHolds() {
        let log = KataSupport.Log<String>()
        log.input("secret")
        log.record("secret")
        var shown = ""
        dump(log, to: &shown)
        #expect(!shown.contains("secret"))
    }

    @Test(arguments: [
        (Result<Int, any Error>.failure(KataSupport.Failure("x")), true), (.failure(KataSupport.Failure("y")), false),
        (.success(3), false), (.failure(CancellationError()), false),
    ])
    func onlyTheWantedErrorPasses(result: Result<Int, any Error>, isRight: Bool) {
        let passes = (try? KataSupport.expect(result, throws: KataSupport.Failure("x"))) != nil
        #expect(passes == isRight)
    }

    @Test(arguments: [
        ([1, 2, 3], [], KataSupport.Finding.Kind.nothing), ([1, 2, 3], [1, 3], .missing), ([1, 2], [1, 2, 2], .extra),
        ([1, 2, 3], [2, 1, 3], .reordered), ([1, 2, 3], [1, 4, 3], .different),
    ])
    func theKindOfADifference(expected: [Int], actual: [Int], kind: KataSupport.Finding.Kind) throws {
        let error = #expect(throws: KataSupport.Mismatch.self) { try KataSupport.expect(actual, equals: expected) }
        #expect(error?.kind == kind)
    }

    @Test func theRightEventsAtTheWrongTimeAreLateOrEarly() {
        func kind(_ milliseconds: Double) -> KataSupport.Finding.Kind {
            KataSupport.Mismatch(
                expected: [.init(milliseconds: 100, label: "a")],
                actual: [.init(milliseconds: milliseconds, label: "a")]
            ).kind
        }
        #expect(kind(200) == .late)
        #expect(kind(50) == .early)
    }
}
