import Foundation
import Reports
import Storage
import Workbook

extension CommandContext {
    /// A session as far as it can be read.
    func interview(in folder: InterviewFolder) throws(CommandError) -> InterviewFolder.Contents {
        do {
            return try folder.load()
        } catch {
            throw self.error(error)
        }
    }

    /// The texts and the model answers for reports on sessions: those of the workbook that is named, else of the
    /// workbook that contains the sessions, else of the one around. Without a workbook, tests appear with their ids.
    func interviewMaterials(
        for sessions: [(folder: InterviewFolder, record: InterviewRecord)]
    ) throws -> (localization: InterviewLocalization, solutions: [String: String]) {
        var workbooks = try request.workbook == nil ? sessions.compactMap(\.folder.workbook) : [requireWorkbook()]
        if request.workbook == nil { workbooks += [workbook].compactMap(\.self) }
        var texts: [String: KataTexts] = [:]
        var solutions: [String: String] = [:]
        for kata in Set(sessions.flatMap { $0.record.plan.katas.map(\.kata) }) {
            texts[kata] =
                workbooks.lazy.compactMap {
                    try? KataTexts(
                        contentsOf: $0.texts(kata), language: language)
                }.first
            guard request.showsSolutions else { continue }
            solutions[kata] =
                workbooks.lazy.compactMap {
                    try? String(contentsOf: $0.modelAnswer(kata), encoding: .utf8)
                }.first
        }
        let localization = try InterviewLocalization(
            strings: strings.reports, interview: InterviewReportStrings(language), texts: texts)
        return (localization, solutions)
    }
}

extension InterviewFolder.Contents {
    /// Whether the record was made of the session's journal, and not of what was written about it before.
    var hasJournal: Bool { trouble?.key != .interviewWithoutJournal }
}
