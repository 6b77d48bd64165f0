import Foundation
import Reports
import Storage
import Testing
import Workbook

@testable import grader

@Suite("The screen of an interview")
struct InterviewScreenTests {
    struct Place: Sendable, CustomTestStringConvertible {
        var language: Language
        var columns: Int
        var testDescription: String { "\(language.code) at \(columns)x24" }
    }

    static let places = Language.allCases.flatMap { language in
        [80, 40].map { Place(language: language, columns: $0) }
    }

    private func screen(_ language: Language, isUnicode: Bool = true, isColored: Bool = false) throws -> InterviewScreen
    {
        let folder = InterviewFolder(URL(fileURLWithPath: "/w/.grader/interviews/2026-01-01-1200-Ann"))
        let style = TextStyle(isColored: isColored, isUnicode: isUnicode)
        let strings =
            ["a", "b"].flatMap { test in ["title", "1", "2", "3"].map { "\(test).\($0)" } }
            + ["kata.achieved", "kata.mastering"]
        let texts = try KataTexts(
            JSONSerialization.data(withJSONObject: [
                "sourceLanguage": "en", "version": "1.0",
                "strings": Dictionary(
                    uniqueKeysWithValues: strings.map {
                        ($0, ["localizations": ["en": ["stringUnit": ["state": "translated", "value": $0]]]])
                    }),
            ]), language: language)
        return InterviewScreen(
            watch: WatchScreen(
                watch: try WatchStrings(language), reports: try ReportStrings(language), style: style,
                typed: { $0.path.replacing("/w/", with: "") },
                commandLine: { (["swift run grader", $0.name] + $1).joined(separator: " ") },
                workbook: folder.exercises,
                texts: ["One": texts, "Two": texts], brief: "# One\n\nText.\n", tellsModelAnswer: false),
            strings: try InterviewStrings(language), folder: folder)
    }

    @Test("Every screen fits the terminal and shows its keys, in every language", arguments: places)
    func fits(at: Place) throws {
        var screen = try screen(at.language)
        var place = ModelPlace(ModelPlace.plan(hints: 3), size: .init(columns: at.columns, rows: 24))
        func look(_ what: String, _ wanted: InterviewKey...) {
            let lines = screen.lines(place.model)
            #expect(lines.count <= 24, "\(what)")
            #expect(lines.allSatisfy { TextWrap.visibleWidth($0) <= at.columns }, "\(what): \(lines)")
            let text = lines.joined().filter { !$0.isWhitespace }
            for key in wanted {
                #expect(text.contains(screen.strings(key).filter { !$0.isWhitespace }), "\(what): \(lines)")
            }
        }
        let ready = ModelPlace(ModelPlace.plan(hints: 3), size: .init(columns: at.columns, rows: 24), begins: false)
        let lines = screen.lines(ready.model)
        #expect(lines.count <= 24 && lines.allSatisfy { TextWrap.visibleWidth($0) <= at.columns })
        #expect(lines[0].contains(screen.strings(.ready)) && lines.last?.contains(screen.strings(.keyStart)) == true)
        look("begun", .keyNote, .keyPause, .keyFinish, .keyNext)
        _ = place.save("One", "a")
        _ = place.handle(.graded(place.verdict("One", .failed), save: 1))
        _ = place.type("hh")
        look("hints", .keyNote, .keyPause, .keyFinish, .keyNext)
        _ = place.type("a" + String(repeating: "글", count: 90))
        look("note", .note, .keyKeep, .keyCancel)
        _ = place.handle(.key(.enter))
        look("kept", .noteKept)
        for key in "lbg" {
            _ = place.type(String(key))
            look("\(key)")
            _ = place.handle(.key(.escape))
        }
        _ = place.type("f")
        #expect(place.model.asksToFinish)
        look("finish")
        _ = place.type("xp")
        look("paused", .paused, .pausedExplained, .keyGoOn)
        _ = place.save("One", "b")
        look("saved", .savedWhilePaused)
        _ = place.type("p")
        _ = place.handle(.tick, after: 5, asleep: 4000)
        look("slept")
        _ = place.handle(.tick, after: 1000)
        look("closing", .timeUp, .closing)
        _ = place.save("One", "b")
        _ = place.handle(.gradingFailed("x", save: 2))
        screen.record = InterviewRecord(place.kept)
        look("closed", .timeUp)
        #expect(place.model.phase == .closed(.timeUp))
    }

    @Test("The last five minutes are marked without color too")
    func lastMinutes() throws {
        let screen = try screen(.english)
        var place = ModelPlace()
        _ = place.handle(.tick, after: 299)
        #expect(screen.lines(place.model)[0].hasPrefix("5:01\u{A0}left"))
        _ = place.handle(.tick, after: 1)
        #expect(screen.lines(place.model)[0].hasPrefix("!\u{A0}Only\u{A0}5:00\u{A0}left"))
        #expect(try self.screen(.english, isColored: true).lines(place.model)[0].contains("\u{1B}["))
    }

    @Test("A pause hides the verdict")
    func pauseHides() throws {
        let screen = try screen(.english)
        var place = ModelPlace()
        _ = place.save("One", "a")
        _ = place.handle(.graded(place.verdict("One", .failed), save: 1))
        #expect(screen.lines(place.model).joined().contains("a.title"))
        _ = place.type("p")
        #expect(!screen.lines(place.model).joined().contains("a.title"))
    }

    @Test("The last screen says what was reached, where it is recorded, and how to read it")
    func closed() throws {
        var screen = try screen(.english)
        var place = ModelPlace(ModelPlace.plan(hints: 3), size: .init(columns: 120, rows: 24))
        _ = place.save("One", "a", after: 60)
        _ = place.handle(.graded(place.verdict("One", .mastered), save: 1))
        _ = place.type("fy")
        _ = place.handle(.files(["One": "a", "Two": "stub two"]))
        screen.record = InterviewRecord(place.kept)
        let text = screen.lines(place.model).joined(separator: "\n").replacing("\u{A0}", with: " ")
        #expect(text.contains("★ One  mastered"))
        #expect(text.contains("1:00 · 1 save · 0 hints"))
        #expect(text.contains("○ Two  not started"))
        #expect(text.contains("Time worked: 1:00 of 10:00"))
        #expect(text.contains("swift run grader interview report .grader/interviews/2026-01-01-1200-Ann"))
        #expect(screen.goodbye(place.model).joined().contains("interview report"))
    }

    @Test("After quitting, the screen says how much time is left and how to resume")
    func stillOpen() throws {
        var place = ModelPlace()
        _ = place.handle(.tick, after: 30.25)
        let text = try screen(.english).goodbye(place.model).joined()
        #expect(text.contains("9:30 left"))
        #expect(text.contains("swift run grader interview --resume .grader/interviews/2026-01-01-1200-Ann"))
    }

    @Test("The catalog has every sentence in six languages, and nothing else")
    func complete() throws {
        let review = try CatalogReview(
            contentsOf: InterviewKey.catalog, keys: Set(InterviewKey.allCases.map(\.rawValue)))
        #expect(review.findings == [])
    }
}
