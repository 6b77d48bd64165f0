/// What holds for every learner of a graded class.
public struct ClassHeader: Codable, Sendable, Equatable {
    public var schema = 1
    /// Where the suites drew their values from.
    public var seed: UInt64
    public var versions: Versions
    /// The share of the class that was graded; `nil` for all of it.
    public var shard: Shard?
    /// The katas that were graded, in the workbook's order.
    public var katas: [Kata]

    /// What a verdict depends on in addition to the submission.
    public struct Versions: Codable, Sendable, Equatable {
        public var swift: String
        /// The digest of the suites and their manifests.
        public var suites: String

        public init(swift: String, suites: String) {
            self.swift = swift
            self.suites = suites
        }
    }

    public init(seed: UInt64, versions: Versions, shard: Shard?, katas: [Kata]) {
        self.seed = seed
        self.versions = versions
        self.shard = shard
        self.katas = katas
    }
}

/// A stable share of a class: the same learners every time, on every machine, and with any other learners in the class.
public struct Shard: Codable, Sendable, Hashable, CustomStringConvertible {
    /// From 1.
    public var index: Int
    public var count: Int

    public init?(index: Int, count: Int) {
        guard count >= 1, (1...count).contains(index) else { return nil }
        self.index = index
        self.count = count
    }

    /// `2/5`: the second of five.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]) else { return nil }
        self.init(index: index, count: count)
    }

    public var description: String { "\(index)/\(count)" }
}

/// What became of one learner's submission, in no language yet.
public struct LearnerRecord: Codable, Sendable, Equatable {
    public var learner: String
    /// What the class's folder calls it: one entry, or several files of one learner.
    public var sources: [String]
    /// Who the platform says it is; `nil` where it says nothing.
    public var identity: PlatformIdentity?
    /// When it was handed in; `nil` where nothing says so.
    public var time: SubmissionTime?
    /// Why the submission, or a part of it, was not graded.
    public var problem: LocalizableMessage?
    /// One for each kata of the class; none where the entry is no submission.
    public var katas: [KataRecord]

    public init(
        learner: String, sources: [String], identity: PlatformIdentity? = nil, time: SubmissionTime? = nil,
        problem: LocalizableMessage? = nil, katas: [KataRecord] = []
    ) {
        self.learner = learner
        self.sources = sources
        self.identity = identity
        self.time = time
        self.problem = problem
        self.katas = katas
    }

    /// Why katas were rejected, a reason for each, without what `problem` says already.
    public var rejections: [Diagnostic] {
        katas.filter { $0.verdict.outcome == .rejected }.compactMap { kata in
            kata.verdict.diagnostics.first { $0.severity == .error }
        }.filter { $0.message != problem }
    }
}

/// How a learning platform knows a learner, so that points find their way back to it.
public struct PlatformIdentity: Codable, Sendable, Equatable {
    /// The learner's number: at Canvas and Moodle that of the export, at Gradescope the student's.
    public var number: String?
    public var github: String?
    public var email: String?
    /// Whether the platform marked the submission as late.
    public var isLate: Bool

    /// `nil` where nothing is known.
    public init?(number: String? = nil, github: String? = nil, email: String? = nil, isLate: Bool = false) {
        guard number != nil || github != nil || email != nil || isLate else { return nil }
        self.number = number
        self.github = github
        self.email = email
        self.isLate = isLate
    }
}

/// One kata of one learner.
public struct KataRecord: Codable, Sendable, Equatable {
    /// The digest of the file's bytes; `nil` where there was no file to read.
    public var digest: String?
    /// Where in the submission the file was.
    public var path: String?
    /// What the file is compared with others by.
    public var fingerprints: SourceFingerprints?
    public var verdict: Verdict

    private enum CodingKeys: String, CodingKey {
        case digest, path
        // Another name whenever they are made in another way: those of an older grader have nothing in common with others.
        case fingerprints = "fingerprints2"
        case verdict
    }

    public init(
        digest: String? = nil, path: String? = nil, fingerprints: SourceFingerprints? = nil, verdict: Verdict
    ) {
        self.digest = digest
        self.path = path
        self.fingerprints = fingerprints
        self.verdict = verdict
    }
}

extension Verdict {
    /// The verdict on a submission that never came to its tests.
    public static func notRun(_ kata: Kata, _ outcome: Outcome, _ message: LocalizableMessage, file: String = "")
        -> Verdict
    {
        Verdict(
            kata: kata.kata, outcome: outcome, points: 0, maxPoints: kata.maxPoints, seconds: 0,
            diagnostics: [Diagnostic(severity: .error, file: file, line: 0, column: 0, message: message)],
            tests: kata.tests.map { TestVerdict(id: $0.id, outcome: .notRun, points: 0) })
    }
}
