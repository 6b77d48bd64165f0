import Foundation
import Workbook

extension InterviewFolder {
    /// What a session's folder holds, as far as it can be read.
    public struct Contents: Sendable, Equatable {
        public var events: [InterviewEvent]
        public var record: InterviewRecord
        /// What is missing, for a person; `nil` where nothing is.
        public var trouble: LocalizableMessage?
    }

    /// Reads the journal. Where entries of it are missing, or all of them, `session.json` says what it still knows.
    ///
    /// - Parameter observed: whether what the observer kept is read as well.
    public func load(observed: Bool = true) throws(WorkbookError) -> Contents {
        // Before the journal: else what a running session keeps in between would look as if it were missing there.
        let kept = keptRecord
        var contents = try contents(InterviewJournal.read(journal), kept)
        guard observed else { return contents }
        let observations = InterviewJournal.read(observer).events
        // An earlier version wrote them into `session.json` as well.
        contents.record.add(observations: observations.isEmpty ? kept?.observations ?? [] : observations)
        for (file, name) in namedObservers {
            // Where the observer's name is lost, that of the file tells most of it.
            let named = InterviewEvent(contents.record.begun, .named(observer: name))
            contents.record.add(observations: [named] + InterviewJournal.read(file).events)
        }
        return contents
    }

    /// Writes `session.json`, unless one is there that has more: of a session that went on meanwhile.
    ///
    /// What an earlier version kept of the observer's there goes where the candidate does not see it.
    public func update(_ record: InterviewRecord) throws {
        let kept = keptRecord
        if let entries = kept?.entries, entries > record.entries ?? 0 { return }
        if let kept, !kept.observations.isEmpty, InterviewJournal.read(observer).events.isEmpty {
            let journal = try InterviewJournal(observer, isPrivate: true)
            for observation in kept.observations { try journal.append(observation) }
        }
        try write(record.withoutObserver)
    }

    private var keptRecord: InterviewRecord? {
        (try? Data(contentsOf: session)).flatMap {
            try? InterviewRecord.decoder.decode(InterviewRecord.self, from: $0)
        }
    }

    /// The same for a journal that is open already.
    public func contents(_ found: InterviewJournal.Found) throws(WorkbookError) -> Contents {
        try contents(found, keptRecord)
    }

    /// - Parameter kept: what `session.json` tells.
    private func contents(
        _ found: InterviewJournal.Found, _ kept: InterviewRecord?
    ) throws(WorkbookError) -> Contents {
        // What an earlier version wrote does not say how many entries there were: at least as many as it tells.
        let count = max(found.count, kept.map { $0.entries ?? $0.events.count } ?? 0)
        var missing = found.missing + (found.count..<count).map { $0 + 1 }
        if found.events.first?.isBeginning != true, missing.first != 1 { missing.insert(1, at: 0) }
        if missing.isEmpty, let record = InterviewRecord(found.events, entries: count) {
            return Contents(events: found.events, record: record)
        }
        if found.events.isEmpty, var kept = kept?.withoutObserver {
            (kept.missing, kept.entries) = (missing, count)
            let lost = LocalizableMessage(.interviewWithoutJournal, journal.path, session.path)
            return Contents(events: kept.events, record: kept, trouble: lost)
        }
        let events = found.events.completed(by: kept?.events ?? [])
        guard let record = InterviewRecord(events, missing: missing, entries: count, known: kept?.last) else {
            throw found.events.isEmpty
                ? WorkbookError(.noInterview, url.path)
                : WorkbookError(.interviewWithoutBeginning, journal.path, session.path)
        }
        return Contents(events: events, record: record, trouble: trouble(missing))
    }

    private func trouble(_ missing: [Int]) -> LocalizableMessage {
        var runs: [ClosedRange<Int>] = []
        for number in missing {
            if let run = runs.last, run.upperBound + 1 == number {
                runs[runs.count - 1] = run.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        // A journal that lost almost everything is still reported in one line.
        var text = runs.prefix(8).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
        if runs.count > 8 { text.append("…") }
        return LocalizableMessage(.interviewIncomplete, "\(missing.count)", text.joined(separator: ", "), journal.path)
    }
}

extension [InterviewEvent] {
    /// Adds what only `others` tell, each where its moment belongs.
    fileprivate func completed(by others: [InterviewEvent]) -> [InterviewEvent] {
        var known = Set(map(\.identity))
        let added = others.filter { known.insert($0.identity).inserted }
        guard !added.isEmpty else { return self }
        let all = (added + self).enumerated().sorted { left, right in
            let (one, other) = (left.element, right.element)
            if one.isBeginning != other.isBeginning { return one.isBeginning }
            if one.moment.time != other.moment.time { return one.moment.time < other.moment.time }
            // Within a millisecond a save stands before its verdict.
            return one.rank != other.rank ? one.rank < other.rank : left.offset < right.offset
        }
        return all.map(\.element)
    }
}

extension InterviewEvent {
    fileprivate var isBeginning: Bool { if case .begun = kind { true } else { false } }

    fileprivate var rank: Int { if case .graded = kind { 1 } else { 0 } }

    /// What makes two tellings the same event.
    fileprivate var identity: String {
        let time = moment.time.timeIntervalSince1970
        return switch kind {
        case .begun: "begun"
        case .clockReplaced: "clock"
        case .journalLost: "lost \(time)"
        case .closed: "closed"
        case .saved(let number, _, _, _): "saved \(number)"
        case .graded(let save, _): "graded \(save)"
        case .opened(let kata, _): "opened \(kata) \(time)"
        case .hint(_, let test, let level): "hint \(test) \(level)"
        case .note(_, let text): "note \(text) \(time)"
        case .paused: "paused \(time)"
        case .resumed(let seconds): "resumed \(seconds)"
        case .slept(let seconds): "slept \(seconds)"
        case .returned(let seconds): "returned \(seconds)"
        case .named(let observer): "named \(observer)"
        case .observed(_, let text): "observed \(text) \(time)"
        case .scored(let score): "scored \(score.item) \(time)"
        case .judged(let judgement): "judged \(judgement.kata) \(judgement.number) \(time)"
        }
    }
}

extension InterviewRecord {
    /// The events that add up to this.
    fileprivate var events: [InterviewEvent] {
        var events = [InterviewEvent(begun, .begun(plan))]
        if clock == .file { events.append(InterviewEvent(begun, .clockReplaced)) }
        events += openings.map { InterviewEvent($0.moment, .opened(kata: $0.kata, text: $0.text)) }
        for save in saves {
            let kind = InterviewEvent.Kind.saved(
                number: save.number, kata: save.kata, text: save.text, stopped: save.stopped)
            events.append(InterviewEvent(save.moment, kind))
            if let verdict = save.verdict {
                events.append(InterviewEvent(save.moment, .graded(save: save.number, verdict)))
            }
        }
        events += hints.map { InterviewEvent($0.moment, .hint(kata: $0.kata, test: $0.test, level: $0.level)) }
        events += notes.map { InterviewEvent($0.moment, .note(kata: $0.kata, text: $0.text)) }
        for gap in gaps {
            let end = InterviewMoment(at: gap.moment.at, time: gap.moment.time.addingTimeInterval(gap.seconds))
            switch gap.cause {
            case .paused:
                events += [InterviewEvent(gap.moment, .paused), InterviewEvent(end, .resumed(seconds: gap.seconds))]
            case .asleep: events.append(InterviewEvent(end, .slept(seconds: gap.seconds)))
            case .away: events.append(InterviewEvent(end, .returned(seconds: gap.seconds)))
            }
        }
        if let pausedSince { events.append(InterviewEvent(pausedSince, .paused)) }
        events += (journalLost ?? []).map { InterviewEvent($0, .journalLost) }
        if let end { events.append(InterviewEvent(last, .closed(end))) }
        return events.enumerated().sorted {
            ($0.element.moment.time, $0.offset) < ($1.element.moment.time, $1.offset)
        }.map(\.element)
    }
}
