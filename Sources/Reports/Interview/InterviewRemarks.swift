import Workbook

extension InterviewRecord {
    /// What a reader should know that this record does not hold, a sentence each.
    ///
    /// - Parameter hasJournal: whether it was made of the session's journal, and not of what was written about it before.
    public func remarks(_ strings: InterviewReportStrings, hasJournal: Bool = true) -> [String] {
        var remarks: [String] = hasJournal ? [] : [strings(.remarkNoJournal)]
        if let journalLost {
            remarks.append(strings(.remarkJournalLost, .list(journalLost.map { ClockText.elapsed($0.at) })))
        }
        if hasJournal, !missing.isEmpty {
            remarks.append(strings(.remarkMissing, .integer(missing.count), .list(Self.runs(missing))))
        }
        let ungraded = saves.filter { $0.verdict == nil }.map(\.number)
        if !ungraded.isEmpty {
            remarks.append(strings(.remarkUngraded, .integer(ungraded.count), .list(Self.runs(ungraded))))
        }
        let stopped = saves.filter { $0.stopped != nil }.map(\.number)
        if !stopped.isEmpty {
            remarks.append(strings(.remarkStopped, .integer(stopped.count), .list(Self.runs(stopped))))
        }
        // A save that is missing may be where the text was written.
        for kata in plan.katas.map(\.kata) where missing.isEmpty {
            guard let (save, all) = unseenSave(of: kata), let added = save.added else { continue }
            remarks.append(
                strings(
                    .remarkUnseen, .text(kata), .text(strings.numbers.integer(added.characters)),
                    .text(strings.numbers.integer(all)), .text(strings.numbers.integer(save.number)),
                    .text(ClockText.withHours(Int(min(added.seconds, 1e9))))))
        }
        if end == nil { remarks.append(strings(.remarkOpen)) }
        if clock == .file { remarks.append(strings(.remarkClock)) }
        return remarks
    }

    /// Numbers in a sentence, neighbors as one: `3, 7–9`.
    private static func runs(_ numbers: [Int]) -> [String] {
        var runs: [ClosedRange<Int>] = []
        for number in Set(numbers).sorted() {
            if let last = runs.last, last.upperBound + 1 == number {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        let most = 12
        let shown = runs.prefix(most).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
        return shown + (runs.count > most ? ["…"] : [])
    }
}
