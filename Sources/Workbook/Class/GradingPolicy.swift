/// How the points of one class count: what `policy.json` in the report's folder says.
///
/// Verdicts know nothing of it. It is applied to records when a report is written, so that a class whose policy was
/// changed is not graded again.
public struct GradingPolicy: Sendable, Equatable {
    public var deadline: DateText?
    public var late = LateRule()
    /// The points of a kata's tiers, where they are not the usual ones.
    public var points: [String: TierPoints] = [:]
    /// What learners may see; `nil` for what each format shows by itself.
    public var release: Release?

    public init() {}

    /// The default: no deadline, and the usual points.
    public init(katas: [Kata]) {
        for kata in katas { points[kata.kata] = TierPoints(core: kata.points(.core), robust: kata.points(.robust)) }
    }

    /// What a submission loses that comes late.
    public struct LateRule: Sendable, Equatable {
        public enum Span: String, Sendable, CaseIterable {
            case hour, day

            var seconds: Int { self == .hour ? 3600 : 86_400 }
        }
        /// So many percent of the points, for each span that has begun.
        public var percent = 0
        public var span = Span.day
        /// So many minutes after the deadline still count as in time.
        public var graceMinutes = 0
        /// No submission loses more.
        public var mostPercent = 100

        public init(percent: Int = 0, span: Span = .day) {
            self.percent = percent
            self.span = span
        }

        func percent(afterSeconds seconds: Int) -> Int {
            let spans = (seconds + span.seconds - 1) / span.seconds
            return percent == 0 ? 0 : min(mostPercent, min(spans, 100) * percent)
        }
    }

    public struct TierPoints: Sendable, Equatable {
        /// `nil` for the usual points.
        public var core: Int?
        public var robust: Int?

        public init(core: Int? = nil, robust: Int? = nil) {
            self.core = core
            self.robust = robust
        }
    }
}

/// When a submission was handed in, as far as anything says so.
public struct SubmissionTime: Codable, Sendable, Equatable {
    /// Counted from 1970: the platform's time, else that of the newest file.
    public var seconds: Int?
    /// What the platform says where it says no more than this.
    public var isMarkedLate: Bool?

    public init(seconds: Int? = nil, isMarkedLate: Bool? = nil) {
        self.seconds = seconds
        self.isMarkedLate = isMarkedLate
    }
}

/// How late a submission is, and what that costs.
public struct Lateness: Sendable, Equatable {
    /// `nil` where the platform says that it is late, and nothing says how late.
    public var seconds: Int?
    public var percent: Int

    public init(seconds: Int?, percent: Int) {
        self.seconds = seconds
        self.percent = percent
    }

    /// What is left of the points, in whole points.
    public func reduced(_ points: Int) -> Int { (points * (100 - percent) + 50) / 100 }

    /// Hours, minutes and seconds, as a spreadsheet reads them too: `26:03:00`.
    public var clock: String? { seconds.map(ClockText.withHours) }
}

extension GradingPolicy {
    /// `nil` for a submission that is in time, and for one of which nothing says when it came.
    ///
    /// - Parameter override: what was decided for this learner.
    public func lateness(of time: SubmissionTime?, _ override: Override? = nil) -> Lateness? {
        guard let deadline = override?.until ?? deadline, let time, override?.isExcused != true else { return nil }
        let over = time.seconds.map { $0 - deadline.last }.flatMap { $0 > 0 ? $0 : nil }
        if let over, over <= late.graceMinutes * 60 { return nil }
        // The platform knows the deadline of all, and not that of one.
        let isMarkedLate = override?.until == nil ? time.isMarkedLate : nil
        guard isMarkedLate ?? (over != nil) else { return nil }
        return Lateness(seconds: over, percent: late.percent(afterSeconds: over ?? 1))
    }

    /// The kata with the points that it has in this class.
    public func scaled(_ kata: Kata) -> Kata {
        guard let points = points[kata.kata] else { return kata }
        return kata.worth(core: points.core, robust: points.robust)
    }

    /// The record with the points of these katas, which are scaled already.
    public func scaled(_ record: LearnerRecord, katas: [Kata]) -> LearnerRecord {
        var record = record
        for index in record.katas.indices {
            guard let kata = katas.first(where: { $0.kata == record.katas[index].verdict.kata }),
                points[kata.kata] != nil
            else { continue }
            record.katas[index].verdict.give(points: kata)
        }
        return record
    }
}

extension Verdict {
    /// What was decided, in other points: a test that earned its points earns the new ones.
    fileprivate mutating func give(points kata: Kata) {
        maxPoints = kata.maxPoints
        let points = Dictionary(kata.tests.map { ($0.id, $0.points) }) { first, _ in first }
        for index in tests.indices {
            let isEarned = tests[index].outcome == .passed && outcome != .rejected
            tests[index].points = isEarned ? points[tests[index].id] ?? 0 : 0
        }
        self.points = tests.reduce(0) { $0 + $1.points }
    }
}
