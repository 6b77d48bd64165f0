import Foundation

/// When something happened in a session.
public struct InterviewMoment: Codable, Sendable, Equatable {
    /// Seconds of the session's own time: what was paused, slept through or spent away is not in it.
    public var at: Double
    /// The time on the wall.
    public var time: Date

    public init(at: Double, time: Date) {
        self.at = at
        self.time = time
    }
}

/// One thing that happened in a session, as its journal keeps it.
public struct InterviewEvent: Codable, Sendable, Equatable {
    public var moment: InterviewMoment
    public var kind: Kind

    public enum Kind: Codable, Sendable, Equatable {
        case begun(InterviewPlan)
        /// The candidate turned to a kata, whose file then held `text`.
        case opened(kata: String, text: String)
        /// A save, numbered from 1 in the order of the session, before it is graded; `stopped` says why the session's time
        /// stood still when it was made.
        case saved(number: Int, kata: String, text: String, stopped: InterviewRecord.Gap.Cause? = nil)
        case graded(save: Int, Verdict)
        case hint(kata: String, test: String, level: Int)
        /// At the moment when typing began: the screen showed then what the note is about.
        case note(kata: String, text: String)
        case paused
        /// The end of a pause.
        case resumed(seconds: Double)
        /// The machine slept.
        case slept(seconds: Double)
        /// The program was not there: it crashed, was killed, or its terminal was closed.
        case returned(seconds: Double)
        /// From here on a file tells the time.
        case clockReplaced
        /// The journal was removed, replaced or shortened while the session ran, and was written again.
        case journalLost
        case closed(InterviewRecord.End)
        /// In an observer's journal: who keeps what follows.
        case named(observer: String)
        /// A note of the observer's, which the candidate does not see.
        case observed(kata: String, text: String)
        /// The observer's judgement of an answer to one of the brief's questions; a later one takes its place.
        case judged(InterviewRecord.Judgement)
        /// What the observer says on the scorecard about one thing; what is said later takes its place.
        case scored(InterviewScore)
    }

    private enum CodingKeys: String, CodingKey {
        case moment
        case kind = "happening"
    }

    public init(_ moment: InterviewMoment, _ kind: Kind) {
        self.moment = moment
        self.kind = kind
    }
}
