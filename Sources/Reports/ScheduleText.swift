import Workbook

/// What a verdict says of threads, in words: everything that is shown in the same words on a terminal and on a page.
extension LocalizedStrings where Key == ReportKey {
    public func thread(_ number: Int) -> String { self(.labelThread, .text(Schedule.name(ofThread: number))) }

    /// Each access of a data race, and its code.
    func accesses(_ race: DataRace) -> [(label: String, code: String)] {
        race.lines.map { (self(ReportKey(access: $0.does), .text("\($0.line)")), $0.code) }
    }

    /// Who waits for what, and where.
    func waits(_ schedule: Schedule) -> [(thread: String, cause: String, place: String)] {
        (schedule.waits ?? []).map { wait in
            let place = wait.line.map { "\($0) \(wait.code ?? "")" } ?? ""
            return (thread(wait.thread), self(ReportKey(wait.on)), place)
        }
    }

    /// What stands above the steps. Code that is wrong in the plainest order as well is no race condition.
    func caption(_ schedule: Schedule, of result: TestVerdict) -> String {
        let isRaceCondition = result.race == nil && schedule.waits == nil && !schedule.text.isEmpty
        return self(isRaceCondition ? .scheduleRace : .scheduleOrder)
    }
}

extension TestVerdict {
    /// Everything that the test has to say, a line each; `nil` where it has nothing to say.
    public func message(_ strings: ReportStrings) -> String? {
        let accesses = race.map(strings.accesses) ?? []
        let waits = schedule.map(strings.waits) ?? []
        let lines =
            messages.map { strings($0) } + accesses.map { "\($0.label) \($0.code)" }
            + waits.map { "\($0.thread): \($0.cause) \($0.place)" }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
}
