import Foundation
import Reports
import Storage
import Workbook

/// `grader interview list`: the sessions in a folder, the earliest first.
struct InterviewListCommand: Sendable {
    let context: CommandContext

    func run() throws -> ExitCode {
        let named = context.request.operands.first.map(context.folder)
        let places = try named.map { [$0] } ?? InterviewFolder.places(of: context.requireWorkbook())
        let strings = try InterviewStrings(context.language)
        var sessions: [(folder: InterviewFolder, record: InterviewRecord)] = []
        for folder in places.flatMap(InterviewFolder.sessions) {
            if let record = try? folder.load().record {
                sessions.append((folder, record))
            } else {
                context.console.say(strings(.skipped, .text(context.typed(folder.url))))
            }
        }
        if context.request.json {
            context.console.printVerbatim(
                JSONText.of(InterviewList(sessions: sessions.map(InterviewList.Session.init))))
        } else if sessions.isEmpty {
            context.console.say(strings(.noSessions, .text(context.typed(places[0]))))
        } else {
            let table = try table(sessions)
            context.console.print(table.lines(columns: context.console.lineWidth))
        }
        return .passed
    }

    private func table(_ sessions: [(folder: InterviewFolder, record: InterviewRecord)]) throws -> TextTable {
        let (reports, strings) = (context.strings.reports, try InterviewReportStrings(context.language))
        let style = context.style
        let dim: @Sendable (String) -> String = { style.dim($0) }
        var table = TextTable([.leading, .leading, .trailing, .leading, .leading])
        table.add(
            .init(strings(.candidate), dress: dim), .init(strings(.end), dress: dim),
            .init(strings(.worked), dress: dim), .init(strings(.kataByKata), dress: dim),
            .init(strings(.session), dress: dim))
        for (folder, record) in sessions {
            let name = record.plan.candidate.split(whereSeparator: \.isNewline).joined(separator: " ")
            let katas = record.katas.map { $0.kata + " " + reports($0.outcome) }
            table.add(
                .init(TextStyle.harmless(name).truncated(toCells: 24, mark: style.ellipsis)),
                .init(strings(InterviewReportKey(record.end))),
                .init("\(ClockText.elapsed(record.secondsWorked))/\(ClockText.elapsed(record.plan.seconds))"),
                .init(katas.joined(separator: style.separator)), .init(context.typed(folder.url)))
        }
        return table
    }
}

/// The object that `interview list --json` prints.
private struct InterviewList: Encodable {
    var schema = 1
    var sessions: [Session]

    struct Session: Encodable {
        var folder: String
        var candidate: String
        /// ISO 8601, in UTC.
        var begun: String
        var minutes: Int
        @OrNull var end: InterviewRecord.End?
        var seconds: Double
        var katas: [KataResult]
        /// Whether an observer kept notes or marks.
        var observed: Bool

        init(_ folder: InterviewFolder, _ record: InterviewRecord) {
            self.folder = folder.url.path
            candidate = record.plan.candidate
            begun = record.begun.time.formatted(.iso8601)
            minutes = record.plan.minutes
            _end = OrNull(wrappedValue: record.end)
            seconds = record.secondsWorked
            katas = record.katas.map(KataResult.init)
            observed = record.isObserved
        }
    }

    struct KataResult: Encodable {
        var kata: String
        var outcome: Verdict.Outcome
        var points: Int
        var maxPoints: Int

        init(_ result: InterviewKataResult) {
            (kata, outcome) = (result.kata, result.outcome)
            (points, maxPoints) = (result.points, result.maxPoints)
        }
    }
}
