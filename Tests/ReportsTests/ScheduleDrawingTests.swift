import Testing
import Workbook

@testable import Reports

@Suite("An order of steps in a terminal")
struct ScheduleDrawingTests {
    private static let twice = Schedule(
        text: "A4>C",
        rows: [
            .init(thread: 0, line: 44, code: "lock.withLock { self.waiter = waiter }", does: .writes, afterGap: true),
            .init(thread: 2, line: 62, code: "end(.failure(CancellationError()))", does: .calls),
            .init(thread: 2, line: 67, code: "isOver = true", does: .writes),
            .init(thread: 0, line: 45, code: "let isOver = lock.withLock { isOver }", does: .reads, afterGap: true),
            .init(
                thread: 0, line: 46, code: "if isOver { return waiter(.failure(CancellationError())) }", does: .calls,
                mistake: true),
        ])

    private func drawing(
        _ schedule: Schedule = twice, _ language: Language = .english, columns: Int = 76,
        style: TextStyle = TextStyle(isColored: false, isUnicode: true), showsDeeds: Bool = false
    ) throws -> [String] {
        let strings = try ReportStrings(language)
        return ScheduleDrawing(
            schedule, columns: columns, style: style, thread: strings.thread,
            deed: showsDeeds ? { strings(ReportKey($0)) } : nil
        ).lines
    }

    @Test(
        "Each thread has a column, and the mistake a mark, in 80 cells and every script",
        arguments: [
            (Language.english, "  thread A                             │ thread C"),
            (.korean, "  스레드 A                             │ 스레드 C"),
            (.spanish, "  hilo A                               │ hilo C"),
            (.thai, "  เธรด A                               │ เธรด C"),
        ])
    func columns(language: Language, head: String) throws {
        let lines = try drawing(Self.twice, language)
        #expect(
            lines == [
                head,
                "  …",
                "  44 lock.withLock { self.waiter = wa… │",
                "                                       │ 62 end(.failure(CancellationError(…",
                "                                       │ 67 isOver = true",
                "  …",
                "  45 let isOver = lock.withLock { isO… │",
                "✗ 46 if isOver { return waiter(.failu… │",
            ])
        #expect(Set(lines.filter { $0.contains("│") }.map { CellWidth.of($0.prefix { $0 != "│" }) }) == [39])
    }

    @Test("Without UTF-8 it is ASCII, and no line is too wide", arguments: [76, 60, 50])
    func ascii(columns: Int) throws {
        let style = TextStyle(isColored: false, isUnicode: false)
        let lines = try drawing(columns: columns, style: style).map(style.folded)
        #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } && $0.utf8.count <= columns })
        #expect(lines.contains { $0.hasPrefix("x 46 if") } && lines[0].contains("| thread C"))
    }

    @Test("Wide characters in the code do not move the columns")
    func wideCode() throws {
        var schedule = Self.twice
        schedule.rows[0].code = "// 기다리는 쪽을 적어 둔다: continuation을 저장한다"
        let lines = try drawing(schedule).filter { $0.contains("│") }
        #expect(Set(lines.map { CellWidth.of($0.prefix { $0 != "│" }) }).count == 1)
    }

    @Test("Short code has no more room than it needs, and leaves the rest to the other column")
    func room() throws {
        var schedule = Self.twice
        for place in [0, 3, 4] { schedule.rows[place].code = "a = \(place)" }
        let lines = try drawing(schedule)
        #expect(lines[3] == "           │ 62 end(.failure(CancellationError()))")
    }

    @Test("In a narrow terminal, or with many threads, each line names its thread")
    func narrow() throws {
        let lines = try drawing(columns: 40)
        #expect(lines[1] == "  thread A  44 lock.withLock { self.wai…")
        #expect(lines.last == "✗ thread A  46 if isOver { return waite…")
        var schedule = Self.twice
        for place in 0..<4 { schedule.rows[place].thread = place + 1 }
        #expect(try drawing(schedule).contains("  thread C  62 end(.failure(CancellationError()))"))
    }

    @Test("Step by step, each line says what the thread does there")
    func deeds() throws {
        let lines = try drawing(showsDeeds: true)
        #expect(lines[2] == "  44 writes  lock.withLock { self.wai… │")
        #expect(try drawing(Self.twice, .korean, showsDeeds: true)[4].hasSuffix("│ 67 쓰기  isOver = true"))
    }

    @Test("What code says does not steer the terminal")
    func harmless() throws {
        var schedule = Self.twice
        schedule.rows[2].code = "print(\"\u{1B}]0;mine\u{07}\")\tx"
        #expect(try !drawing(schedule).joined().contains("\u{1B}"))
    }
}
