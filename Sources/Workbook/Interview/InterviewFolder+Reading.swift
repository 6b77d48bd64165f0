import Foundation

extension InterviewFolder {
    /// What a session's folder holds, as far as it can be read.
    public struct Contents: Sendable, Equatable {
        public var record: InterviewRecord
        /// What is missing, for a person; `nil` where nothing is.
        public var trouble: Statement?
    }

    /// Reads the journal, and falls back on `session.json` where there is none that can be read.
    public func load() throws(WorkbookError) -> Contents {
        let (events, missing) = InterviewJournal.read(journal)
        let kept = (try? Data(contentsOf: session)).flatMap {
            try? InterviewRecord.decoder.decode(InterviewRecord.self, from: $0)
        }
        if let record = InterviewRecord(events, missing: missing) {
            return Contents(record: record, trouble: gaps(missing))
        }
        if let kept {
            // The events have lost their beginning, which the other file still knows.
            let beginning = InterviewEvent(kept.begun, .begun(kept.plan))
            if !events.isEmpty, let record = InterviewRecord([beginning] + events, missing: missing) {
                return Contents(record: record, trouble: gaps(missing))
            }
            return Contents(record: kept, trouble: Statement(.interviewWithoutJournal, journal.path, session.path))
        }
        throw WorkbookError(.noInterview, url.path)
    }

    private func gaps(_ missing: [Int]) -> Statement? {
        guard let last = missing.last else { return nil }
        var runs: [ClosedRange<Int>] = []
        for number in missing {
            if let run = runs.last, run.upperBound + 1 == number {
                runs[runs.count - 1] = run.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        // A folder that lost almost everything is told in one line all the same.
        var text = runs.prefix(8).map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
        if runs.count > 8 { text += ["…", "\(last)"] }
        return Statement(.interviewIncomplete, "\(missing.count)", text.joined(separator: ", "), journal.path)
    }
}
