import Foundation
import Testing

@testable import Workbook

@Suite("The record of a session, made from its events")
struct InterviewRecordTests {
    private let katas = ["One", "Two"].map { name in
        Kata(
            kata: name, order: 1, phase: 1, interface: [],
            tests: [
                KataTest(id: "T/core()", framework: .testing, tier: .core, points: 1, hint: "a"),
                KataTest(id: "T/robust()", framework: .testing, tier: .robust, points: 2, hint: "b"),
            ])
    }

    private func event(_ at: Double, _ kind: InterviewEvent.Kind, wall: Double? = nil) -> InterviewEvent {
        InterviewEvent(
            InterviewMoment(at: at, time: Date(timeIntervalSinceReferenceDate: wall ?? at)), kind)
    }

    private func verdict(_ kata: String, _ outcome: Verdict.Outcome, passing: [String]) -> Verdict {
        Verdict(
            kata: kata, outcome: outcome, points: passing.count, maxPoints: 3, seconds: 0, diagnostics: [],
            tests: ["T/core()", "T/robust()"].map {
                TestVerdict(id: $0, outcome: passing.contains($0) ? .passed : .failed, points: 0)
            })
    }

    private var begun: InterviewEvent {
        event(
            0,
            .begun(
                InterviewPlan(
                    candidate: "Ann", language: .english, katas: katas, minutes: 10, hints: nil, seed: 1,
                    versions: .init(grader: "1", swift: "6"))))
    }

    @Test("A test that passes, breaks and passes again is recorded with the saves at which it did")
    func breaks() throws {
        let record = try #require(
            InterviewRecord([
                begun, event(0, .opened(kata: "One", text: "")),
                event(10, .saved(number: 1, kata: "One", text: "a")),
                event(20, .saved(number: 2, kata: "One", text: "b")),
                event(21, .graded(save: 2, verdict("One", .failed, passing: ["T/robust()"]))),
                event(25, .opened(kata: "Two", text: "")),
                // A save that was followed by a newer one during its grading has its verdict later.
                event(26, .graded(save: 1, verdict("One", .passed, passing: ["T/core()"]))),
                event(40, .opened(kata: "One", text: "b")),
                event(50, .saved(number: 3, kata: "One", text: "c")),
                event(51, .graded(save: 3, verdict("One", .mastered, passing: ["T/core()", "T/robust()"]))),
                event(60, .closed(.finished)),
            ]))
        let one = record.katas[0]
        #expect((one.firstCorePass, one.passed, one.mastered) == (10, 10, 50))
        #expect((one.outcome, one.saves, one.seconds) == (.mastered, 3, 45))
        #expect(one.tests.map(\.firstPassed) == [10, 20])
        #expect(one.tests.map(\.broke) == [[20], []])
        #expect(one.tests.map(\.passesAtEnd) == [true, true])
        #expect((record.katas[1].outcome, record.katas[1].seconds) == (.notStarted, 15))
        #expect(record.end == .finished)
        #expect(record.secondsWorked == 60)
    }

    @Test("Time that does not count for the session is recorded separately, each part with its beginning")
    func gaps() throws {
        let record = try #require(
            InterviewRecord([
                begun, event(10, .paused, wall: 10), event(10, .resumed(seconds: 30), wall: 40),
                event(20, .slept(seconds: 100), wall: 150), event(25, .returned(seconds: 1000), wall: 1155),
                event(30, .paused, wall: 1160),
            ]))
        #expect(record.gaps.map(\.cause) == [.paused, .asleep, .away])
        #expect(record.gaps.map(\.moment.at) == [10, 20, 25])
        #expect(record.gaps.map(\.moment.time.timeIntervalSinceReferenceDate) == [10, 50, 155])
        #expect(record.seconds(.away) == 1000)
        #expect(record.pausedSince?.at == 30)
    }

    @Test("A note has the time at which it was begun, and does not change the last moment")
    func notes() throws {
        let record = try #require(
            InterviewRecord([
                begun, event(30, .saved(number: 1, kata: "One", text: "")), event(20, .note(kata: "One", text: "x")),
            ]))
        #expect(record.notes.map(\.moment.at) == [20])
        #expect(record.last.at == 30)
    }

    @Test("A session with another clock than the machine's says so")
    func clock() throws {
        #expect(InterviewRecord([begun])?.clock == .machine)
        #expect(InterviewRecord([begun, event(9, .clockReplaced)])?.clock == .file)
    }

    @Test("A test that passes while only comments of the stub have changed is not the candidate's first test")
    func stubsOwnTests() throws {
        let stub = "func one() {}\n"
        let record = try #require(
            InterviewRecord([
                begun, event(0, .opened(kata: "One", text: stub)),
                event(10, .saved(number: 1, kata: "One", text: "// What now?\n" + stub)),
                event(11, .graded(save: 1, verdict("One", .failed, passing: ["T/core()"]))),
                event(20, .saved(number: 2, kata: "One", text: "func one() { two() }\n")),
                event(21, .graded(save: 2, verdict("One", .failed, passing: ["T/core()"]))),
            ]))
        #expect(record.katas[0].firstCorePass == nil)
        #expect(record.katas[0].tests[0].firstPassed == 10)
    }

    @Test("Text that arrives faster than a person types is marked; text that was typed, moved or restored is not")
    func bursts() throws {
        let stub = "func one() {\n    fatalError()\n}\n"
        let typed = (1...10).map { "    let value\($0) = call(number: \($0))\n" }.joined()
        let pasted = (1...10).map { "    send(\($0), to: receiver, after: delay\($0))\n" }.joined()
        let record = try #require(
            InterviewRecord([
                begun, event(0, .opened(kata: "One", text: stub)),
                event(100, .saved(number: 1, kata: "One", text: stub + typed)),
                event(102, .saved(number: 2, kata: "One", text: typed + stub)),
                event(104, .saved(number: 3, kata: "One", text: typed + pasted + stub)),
                event(105, .saved(number: 4, kata: "One", text: stub)),
                event(106, .saved(number: 5, kata: "One", text: pasted + stub)),
                event(107, .saved(number: 6, kata: "One", text: pasted.replacing("receiver", with: "other") + stub)),
                // What is written in a pause takes no time of the session.
                event(107, .paused, wall: 107), event(107, .resumed(seconds: 600), wall: 707),
                event(107, .saved(number: 7, kata: "One", text: (1...90).map { "more\($0)\n" }.joined()), wall: 707),
            ]))
        #expect(record.saves.map { $0.burst != nil } == [false, false, true, false, false, false, true])
        #expect(record.saves[2].burst?.seconds == 2)
        #expect(record.saves[6].burst?.seconds == 0)
        #expect(record.katas[0].bursts == 2)
    }

    @Test("A file that is replaced shortly before the end is marked, or the session does not show how it was written")
    func lateText() throws {
        let stub = "func one() {\n    fatalError()\n}\n"
        let own = "func one() {\n    return try await first()\n}\n"
        let pasted = "import Other\n" + (1...20).map { "send(\($0), to: receiver, after: delay\($0))\n" }.joined()
        func record(pastedAt time: Double) throws -> InterviewRecord {
            try #require(
                InterviewRecord([
                    begun, event(0, .opened(kata: "One", text: stub)),
                    event(600, .saved(number: 1, kata: "One", text: own)),
                    event(610, .graded(save: 1, verdict("One", .failed, passing: []))),
                    // After the last verdict, and never graded.
                    event(time, .saved(number: 2, kata: "One", text: pasted)), event(time + 5, .closed(.timeUp)),
                ]))
        }
        let soon = try record(pastedAt: 650)
        let characters = try #require(soon.saves[1].added?.characters)
        #expect(soon.saves[1].burst == InterviewNewText(characters: characters, seconds: 50))
        #expect(soon.katas[0].bursts == 1 && soon.unseenSave(of: "One") == nil)
        // It may have been typed.
        let late = try record(pastedAt: 1200)
        #expect(late.saves[1].burst == nil && late.katas[0].bursts == 0)
        #expect(late.unseenSave(of: "One")?.save.number == 2)
        #expect((late.unseenSave(of: "One")?.characters ?? 0) >= characters)
    }

    @Test(
        "Most of a kata's text in one save is marked at any time: it arrived at once, or the session does not show it")
    func noGap() throws {
        let pasted = (1...20).map { "send(\($0), to: receiver, after: delay\($0))\n" }.joined()
        for time in stride(from: 1.0, through: 200, by: 7) {
            let record = try #require(
                InterviewRecord([
                    begun, event(0, .opened(kata: "One", text: "")),
                    event(time, .saved(number: 1, kata: "One", text: pasted)),
                ]))
            let isUnseen = record.unseenSave(of: "One") != nil
            #expect((record.saves[0].burst != nil) != isUnseen, "\(time)")
        }
    }

    @Test(
        "New text is measured from the last save of any kata, on the session's clock, whichever kata was opened since")
    func sinceTheLastSave() throws {
        let written = (1...9).map { "send(\($0), to: place)\n" }.joined()
        func record(_ more: [InterviewEvent]) throws -> InterviewRecord {
            try #require(
                InterviewRecord(
                    [
                        begun, event(0, .opened(kata: "One", text: "")),
                        event(60, .saved(number: 1, kata: "One", text: "a")),
                    ]
                        + more))
        }
        // The clock on the wall was set back meanwhile.
        let turned = try record([
            event(71, .opened(kata: "Two", text: ""), wall: -1000),
            event(72, .saved(number: 2, kata: "Two", text: written), wall: -999),
        ])
        #expect(turned.saves[1].added?.seconds == 12 && turned.saves[1].burst == nil)
        // An editor that saves all its files saves them together.
        let together = try record([
            event(90, .opened(kata: "Two", text: "")), event(120, .saved(number: 2, kata: "One", text: "ab")),
            event(120.02, .saved(number: 3, kata: "Two", text: written)),
            event(120.5, .saved(number: 4, kata: "Two", text: written + written.replacing("send", with: "take"))),
        ])
        #expect(together.saves.map { $0.added?.seconds } == [60, 60, 60.02, 0.48])
        #expect(together.saves.map { $0.burst != nil } == [false, false, false, true])
    }

    @Test("A save that was made while the time stood still says why, and the real time is recorded as well")
    func stopped() throws {
        let record = try #require(
            InterviewRecord([
                begun, event(10, .paused, wall: 10),
                event(10, .saved(number: 1, kata: "One", text: "a", stopped: .paused), wall: 20),
                event(10, .resumed(seconds: 30), wall: 40),
                event(20, .saved(number: 2, kata: "One", text: "b"), wall: 50),
                event(30, .returned(seconds: 100), wall: 160),
                event(30, .saved(number: 3, kata: "Two", text: "c", stopped: .away), wall: 160),
            ]))
        #expect(record.saves.map(\.stopped) == [.paused, nil, .away])
        #expect(record.katas.map(\.savesWhileStopped) == [1, 1])
        #expect((record.secondsWorked, record.secondsElapsed) == (30, 160))
    }

    @Test("Text is also marked in the file of a kata that the candidate never turned to")
    func textWithoutOpening() throws {
        let stub = "func two() {\n    fatalError()\n}\n"
        let pasted = (1...20).map { "send(\($0), to: receiver, after: delay\($0))\n" }.joined()
        guard case .begun(var plan) = begun.kind else { return }
        plan.stubs = ["Two": stub]
        let record = try #require(
            InterviewRecord([
                InterviewEvent(begun.moment, .begun(plan)), event(0, .opened(kata: "One", text: "")),
                event(30, .saved(number: 1, kata: "Two", text: stub + "// mine\n")),
                event(31, .saved(number: 2, kata: "Two", text: pasted + stub)),
            ]))
        #expect(record.saves.map { $0.burst != nil } == [false, true])
        #expect(record.saves[0].added?.characters == 6)
    }

    @Test("Every key is written, also for things that have not happened")
    func keys() throws {
        let record = try #require(InterviewRecord([begun, event(9, .saved(number: 1, kata: "One", text: ""))]))
        let text = String(decoding: try InterviewRecord.encoder.encode(record), as: UTF8.self)
        for key in [
            "end", "pausedSince", "verdict", "firstCorePass", "passed", "mastered", "firstPassed", "added", "burst",
            "stopped",
        ] {
            #expect(text.contains("\"\(key)\":null"), "\(key)")
        }
        #expect(try InterviewRecord.decoder.decode(InterviewRecord.self, from: Data(text.utf8)) == record)
    }

    @Test("Without its first event there is no session")
    func noBeginning() {
        #expect(InterviewRecord([event(1, .paused)]) == nil)
    }
}
