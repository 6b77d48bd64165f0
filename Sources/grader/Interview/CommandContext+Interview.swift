import Foundation
import Reports
import Storage
import Workbook

extension CommandContext {
    /// A session as far as it can be read, with the interview questions in the reader's language.
    func interview(in folder: InterviewFolder) throws(CommandError) -> InterviewFolder.Contents {
        do {
            var contents = try folder.load()
            let workbooks = [folder.workbook, workbook].compactMap(\.self)
            contents.record = contents.record.questions(in: language, from: workbooks)
            return contents
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

extension InterviewRecord {
    /// The observer's marks with the briefs' questions in another language than the observer's.
    ///
    /// A question that the brief has not any more stays as it was.
    func questions(in language: Language, from workbooks: [WorkbookFolder]) -> InterviewRecord {
        func texts(_ kata: String, _ language: Language) -> [String] {
            let brief = workbooks.lazy.compactMap { $0.brief(kata, language) }.first ?? ""
            let heading = (try? InterviewStrings(language))?(.observerQuestions) ?? ""
            return ObserverModel.Question.all(in: brief, of: kata, heading: heading).map(\.text)
        }
        var record = self
        record.rubric = rubric?.map { judgement in
            let (all, own) = (Language.allCases.map { texts(judgement.kata, $0) }, texts(judgement.kata, language))
            let place = judgement.number - 1
            guard own.indices.contains(place),
                all.contains(where: { $0.indices.contains(place) && $0[place] == judgement.question })
            else { return judgement }
            var judgement = judgement
            judgement.question = own[place]
            return judgement
        }
        return record
    }
}

extension InterviewFolder.Contents {
    /// Whether the record was made of the session's journal, and not of what was written about it before.
    var hasJournal: Bool { trouble?.key != .interviewWithoutJournal }
}
