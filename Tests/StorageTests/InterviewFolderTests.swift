import Foundation
import TestSupport
import Testing
import Workbook

@testable import Storage

@Suite("The folder of an interview")
struct InterviewFolderTests {
    private let scratch: ScratchFolder
    private let folder: InterviewFolder

    init() throws {
        scratch = try ScratchFolder()
        folder = InterviewFolder(scratch.url)
    }

    private static let kata = Kata(
        kata: "One", order: 1, phase: 1, interface: [],
        tests: [KataTest(id: "T/a()", framework: .testing, tier: .core, points: 1, hint: "a")])

    static let plan = InterviewPlan(
        candidate: "Ann", language: .korean, katas: [kata], minutes: 45, hints: 2, seed: 7,
        versions: .init(grader: "1", swift: "6.3.1"))

    private func moment(_ at: Double) -> InterviewMoment {
        InterviewMoment(at: at, time: Date(timeIntervalSince1970: 1_700_000_000 + at))
    }

    private func verdict(_ outcome: Verdict.Outcome) -> Verdict {
        Verdict(
            kata: "One", outcome: outcome, points: 0, maxPoints: 1, seconds: 0.25, diagnostics: [],
            tests: [TestVerdict(id: "T/a()", outcome: outcome == .mastered ? .passed : .failed, points: 0)])
    }

    /// Nine events; the sixth is the verdict of the first save.
    private var events: [InterviewEvent] {
        [
            InterviewEvent(moment(0), .begun(Self.plan)),
            InterviewEvent(moment(0), .opened(kata: "One", text: "stub\n")),
            InterviewEvent(moment(10.25), .saved(number: 1, kata: "One", text: "한\u{2028}\n\"x\"\u{0}")),
            InterviewEvent(moment(11), .paused), InterviewEvent(moment(11), .resumed(seconds: 60)),
            InterviewEvent(moment(12), .graded(save: 1, verdict(.failed))),
            InterviewEvent(moment(13), .hint(kata: "One", test: "T/a()", level: 1)),
            InterviewEvent(moment(14), .saved(number: 2, kata: "One", text: "answer\n")),
            InterviewEvent(moment(15), .graded(save: 2, verdict(.mastered))),
        ]
    }

    private func write(_ events: [InterviewEvent]) throws {
        let journal = try InterviewJournal(folder.journal)
        for event in events { try journal.append(event) }
    }

    private func lines() throws -> [Data] {
        try Data(contentsOf: folder.journal).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .dropLast().map { Data($0 + [UInt8(ascii: "\n")]) }
    }

    @Test("returns what happened, to the millisecond, also if it was written in two parts")
    func keeps() throws {
        try write(Array(events.prefix(4)))
        try write(Array(events.dropFirst(4)))
        let contents = try folder.load()
        #expect(contents.trouble == nil)
        #expect(contents.events == events)
        #expect(contents.record == InterviewRecord(events))
        #expect(contents.record.saves.map { $0.verdict?.outcome } == [.failed, .mastered])
    }

    @Test("keeps milliseconds exactly, and no smaller units", arguments: Array(stride(from: 0.0, to: 1, by: 0.0625)))
    func milliseconds(fraction: Double) throws {
        let event = InterviewEvent(moment(fraction), .paused)
        let text = String(decoding: try InterviewRecord.encoder.encode(event), as: UTF8.self)
        let read = try InterviewRecord.decoder.decode(InterviewEvent.self, from: Data(text.utf8))
        #expect(abs(read.moment.time.timeIntervalSince(event.moment.time)) <= 0.000_501)
        let again = try InterviewRecord.encoder.encode(read)
        #expect(String(decoding: again, as: UTF8.self) == text)
    }

    @Test("cut off at any byte, returns all complete events, and takes the next event")
    func torn() throws {
        try write(events)
        let whole = try Data(contentsOf: folder.journal)
        let lines = try lines()
        let first = lines[0].count
        for length in stride(from: first, through: whole.count, by: 97) {
            try whole.prefix(length).write(to: folder.journal)
            var count = 0
            var end = 0
            while count < lines.count, end + lines[count].count <= length {
                end += lines[count].count
                count += 1
            }
            let contents = try folder.load()
            #expect(contents.events == Array(events.prefix(count)), "cut at \(length)")
            #expect(contents.record.missing == (end == length ? [] : [count + 1]), "cut at \(length)")
            #expect((contents.trouble == nil) == (end == length), "cut at \(length)")
            let note = InterviewEvent(moment(20), .note(kata: "One", text: "after"))
            try write([note])
            #expect(try folder.load().events == Array(events.prefix(count)) + [note], "cut at \(length)")
            #expect(try folder.load().record.missing == (end == length ? [] : [count + 1]), "cut at \(length)")
        }
    }

    @Test("with one changed bit, skips the damaged entries, and says which", arguments: [0, 3, 40, -1])
    func flipped(place: Int) throws {
        try write(events)
        var bytes = try Data(contentsOf: folder.journal)
        let lines = try lines()
        let start = lines.prefix(5).reduce(0) { $0 + $1.count }
        let index = start + (place >= 0 ? place : lines[5].count - 1)
        bytes[index] ^= 0x04
        try bytes.write(to: folder.journal)
        let contents = try folder.load()
        // If the end of a line is lost, the next line is lost too.
        let lost = place >= 0 ? [6] : [6, 7]
        #expect(contents.record.missing == lost)
        #expect(contents.record.saves.map { $0.verdict?.outcome } == [nil, .mastered])
        let numbers = place >= 0 ? "6" : "6–7"
        #expect(
            contents.trouble == LocalizableMessage(.interviewIncomplete, "\(lost.count)", numbers, folder.journal.path))
    }

    @Test("takes what a damaged journal lost from session.json, if it is there")
    func completed() throws {
        try write(events)
        try folder.write(try #require(InterviewRecord(events)))
        var lines = try lines()
        lines.remove(at: 5)
        lines.remove(at: 0)
        try Data(lines.joined()).write(to: folder.journal)
        let contents = try folder.load()
        #expect(contents.record.missing == [1, 6])
        #expect(contents.trouble?.arguments[1] == "1, 6")
        var told = try #require(InterviewRecord(events))
        told.missing = [1, 6]
        #expect(contents.record == told)
    }

    @Test(
        "takes what follows the end of a cut journal from session.json, and reports it as missing", arguments: [2, 8])
    func cut(count: Int) throws {
        try write(events)
        let record = try #require(InterviewRecord(events))
        try folder.write(record)
        try Data(lines().prefix(count).joined()).write(to: folder.journal)
        let contents = try folder.load()
        #expect(contents.record.missing == Array(count + 1...9))
        #expect(contents.trouble?.key == .interviewIncomplete)
        var told = record
        told.missing = contents.record.missing
        #expect(contents.record == told)
        // An older session.json does not say how many entries there were.
        var older = record
        older.entries = nil
        try folder.write(older)
        #expect(try folder.load().record == told)
    }

    @Test("session.json is not replaced by a record of fewer entries")
    func neverLess() throws {
        let record = try #require(InterviewRecord(events))
        try folder.write(record)
        try folder.update(try #require(InterviewRecord(Array(events.prefix(5)))))
        let kept = try InterviewRecord.decoder.decode(InterviewRecord.self, from: Data(contentsOf: folder.session))
        #expect(kept == record)
    }

    @Test(
        "that goes on without its journal keeps everything, and what the journal lost stays missing", arguments: [0, 3])
    func goesOn(count: Int) throws {
        try write(events)
        try folder.write(try #require(InterviewRecord(events)))
        try Data(lines().prefix(count).joined()).write(to: folder.journal)
        let journal = try InterviewJournal(folder.journal)
        let found = try folder.contents(journal.found)
        journal.goOn(after: try #require(found.record.entries))
        try journal.append(InterviewEvent(moment(20), .returned(seconds: 3)))
        let record = try folder.load().record
        #expect(record.missing == Array(count + 1...9) && record.entries == 10)
        #expect(record.saves.map { $0.verdict?.outcome } == [.failed, .mastered])
        #expect(record.hints.count == 1)
        #expect(record.seconds(.away) == 3)
    }

    enum Damage: CaseIterable {
        case removed, moved, replaced, shortened, emptied, overwritten
    }

    @Test(
        "A journal that another program removes, replaces or shortens is written again with the next event",
        arguments: Damage.allCases)
    func lost(damage: Damage) throws {
        let journal = try InterviewJournal(folder.journal)
        for event in events.prefix(5) { try journal.append(event) }
        let whole = try Data(contentsOf: folder.journal)
        let foreign = Data("no line of ours\n".utf8)
        switch damage {
        case .removed: try FileManager.default.removeItem(at: folder.journal)
        case .moved: try FileManager.default.moveItem(at: folder.journal, to: scratch("elsewhere"))
        case .replaced: try foreign.write(to: folder.journal, options: .atomic)
        case .shortened: #expect(truncate(folder.journal.path, off_t(whole.count - 1)) == 0)
        case .emptied: #expect(truncate(folder.journal.path, 0) == 0)
        case .overwritten:
            let file = try FileHandle(forWritingTo: folder.journal)
            try file.write(contentsOf: Data(repeating: UInt8(ascii: "x"), count: whole.count))
            try file.close()
        }
        let loss = InterviewEvent(moment(12.5), .journalLost)
        #expect(try journal.append(events[5], at: moment(12.5)) == [loss, events[5]])
        for event in events.dropFirst(6) { #expect(try journal.append(event, at: moment(12.5)) == [event]) }
        let contents = try folder.load()
        #expect(contents.trouble == nil)
        #expect(contents.events == Array(events.prefix(5)) + [loss] + Array(events.dropFirst(5)))
        #expect(contents.record.journalLost == [moment(12.5)])
        // What another program wrote is not thrown away.
        if damage == .replaced { #expect(try Data(contentsOf: scratch("journal.changed")) == foreign) }
    }

    @Test("What a kill leaves of a journal that is just being written again is completed from session.json")
    func killedWhileRewriting() throws {
        try write(events)
        let record = try #require(InterviewRecord(events))
        try folder.write(record)
        let whole = try Data(contentsOf: folder.journal)
        try FileManager.default.moveItem(at: folder.journal, to: scratch("journal.changed"))
        for length in [0, whole.count / 2, whole.count] {
            try whole.prefix(length).write(to: scratch("journal.new"))
            let contents = try folder.load()
            #expect(contents.record.saves == record.saves && contents.record.hints == record.hints)
        }
        // What is left of it is no hindrance.
        try FileManager.default.removeItem(at: folder.session)
        let journal = try InterviewJournal(folder.journal)
        try journal.append(events[0])
        try FileManager.default.removeItem(at: folder.journal)
        try journal.append(events[1])
        #expect(try folder.load().events.count == 3)
    }

    @Test("A journal that does not begin with the session's beginning is reported as damaged")
    func withoutBeginning() throws {
        let returned = InterviewEvent(moment(20), .returned(seconds: 3))
        try write([returned])
        #expect(
            throws: WorkbookError(.interviewWithoutBeginning, folder.journal.path, folder.session.path)
        ) { try folder.load() }
        var older = try #require(InterviewRecord(events))
        older.entries = nil
        try folder.write(older)
        let contents = try folder.load()
        #expect(contents.record.missing == Array(1...9))
        #expect(contents.record.hints.count == 1)
    }

    @Test("without a journal, returns what session.json has, and reports every entry as missing")
    func sessionOnly() throws {
        var record = try #require(InterviewRecord(events))
        try folder.write(record)
        record.missing = Array(1...9)
        #expect(try folder.load().record == record)
        #expect(
            try folder.load().trouble
                == LocalizableMessage(.interviewWithoutJournal, folder.journal.path, folder.session.path))
        try Data("no line of ours\n".utf8).write(to: folder.journal)
        #expect(try folder.load().record == record)
    }

    @Test("without a session says what was expected")
    func nothing() throws {
        #expect(throws: WorkbookError(.noInterview, folder.url.path)) { try folder.load() }
        try Data([0xFF, 0x0A]).write(to: folder.journal)
        try Data("{}".utf8).write(to: folder.session)
        #expect(throws: WorkbookError(.noInterview, folder.url.path)) { try folder.load() }
    }

    @Test("has a name that any file system accepts, and never the name of another folder")
    func names() throws {
        #expect(InterviewFolder.safe("../Ann O’Neil\n") == "Ann-O-Neil")
        #expect(InterviewFolder.safe(" 안나 / ทดสอบ ") == "안나-ทดสอบ")
        #expect(InterviewFolder.safe("...") == "")
        #expect(InterviewFolder.safe(String(repeating: "안", count: 99)).utf8.count == 120)
        let workbook = WorkbookFolder(scratch("workbook"))
        let stub = workbook.shippedStub("One")
        try FileManager.default.createDirectory(at: stub.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("stub".utf8).write(to: stub)
        try Data("English".utf8).write(to: workbook.exercise("One").appendingPathComponent("README.md"))
        try Data("한국어".utf8).write(to: workbook.exercise("One").appendingPathComponent("README.ko.md"))
        let now = Date()
        let folders = try (1...3).map { _ in try InterviewFolder.create(for: Self.plan, in: workbook, at: now) }
        #expect(Set(folders.map(\.url)).count == 3)
        let name = folders[0].url.lastPathComponent
        #expect(name.wholeMatch(of: /\d{4}-\d\d-\d\d-\d{4}-Ann/) != nil)
        #expect(folders.map(\.url.lastPathComponent) == [name, name + "-2", name + "-3"])
        #expect(folders[0].text(of: "One") == "stub")
        let brief = folders[0].exercises.exercise("One").appendingPathComponent("README.md")
        #expect(try String(contentsOf: brief, encoding: .utf8) == "한국어")
        #expect(WorkbookFolder(containing: folders[0].exercises.exercise("One"))?.url.path == workbook.url.path)
    }

    @Test("has the notes of all its observers, each with their name, and none of another session's")
    func observers() throws {
        let own = InterviewFolder(scratch("sessions/one"))
        let other = InterviewFolder(scratch("sessions/one.more"))
        for session in [own, other] {
            try FileManager.default.createDirectory(at: session.url, withIntermediateDirectories: true)
            try InterviewJournal(session.journal).append(events[0])
        }
        func keep(_ text: String, _ file: URL, _ name: String?) throws {
            let journal = try InterviewJournal(file, isPrivate: true)
            if let name { try journal.append(InterviewEvent(moment(1), .named(observer: name))) }
            try journal.append(InterviewEvent(moment(1), .observed(kata: "One", text: text)))
        }
        try keep("by nobody", own.observer, nil)
        try keep("by Ann", own.observer(named: "Ann Lee"), "Ann Lee")
        // A file that has lost the name.
        try keep("by Bo", own.observer(named: "Bo"), nil)
        try keep("of the other", other.observer, nil)
        let notes = try own.load().record.privateNotes ?? []
        #expect(notes.map(\.text) == ["by nobody", "by Ann", "by Bo"])
        #expect(notes.map(\.observer) == [nil, "Ann Lee", "Bo"])
        #expect(try other.load().record.privateNotes?.map(\.text) == ["of the other"])
        #expect(try own.load(observed: false).record.isObserved == false)
    }

    @Test("is found among others if it is the newest open session")
    func newest() throws {
        let workbook = WorkbookFolder(scratch("workbook"))
        let all = InterviewFolder.all(in: workbook)
        #expect(InterviewFolder.newestOpen(in: InterviewFolder.places(of: workbook)) == nil)
        for (name, begun, isOpen) in [
            ("2026-01-01-1000-Zoe", 0.0, true), ("2026-01-02-1000-Ann", 60, true), ("2026-01-02-1000-Bob", 30, true),
            ("2026-01-02-1100-Cat", 90, false),
        ] {
            let folder = InterviewFolder(all.appendingPathComponent(name))
            try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
            let journal = try InterviewJournal(folder.journal)
            try journal.append(InterviewEvent(moment(begun), .begun(Self.plan)))
            if !isOpen { try journal.append(InterviewEvent(moment(99), .closed(.finished))) }
        }
        try FileManager.default.createDirectory(
            at: all.appendingPathComponent("9-empty"), withIntermediateDirectories: true)
        #expect(
            InterviewFolder.newestOpen(in: InterviewFolder.places(of: workbook))?.url.lastPathComponent
                == "2026-01-02-1000-Ann")
    }
}
