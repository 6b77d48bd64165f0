import Foundation
import Grading
import Reports
import Storage
import Workbook

extension Option {
    static let json = Option("--json", .optionJSON, \.json, true)
    static let problems = Option("--problems", .optionProblems, \.printsProblems, true)
    static let noCache = Option("--no-cache", .optionNoCache, \.usesCache, false)
    static let seed = Option(
        "--seed", .text("N"), .optionSeed, \.seed, read: { UInt64($0) }, else: { .seedIsNoNumber($1) })
    /// An order without an interruption has no words.
    static let schedule = Option(
        "--schedule", .text("TEXT"), example: "'A4>C C99>B'", mayBeEmpty: true, .optionSchedule, \.schedule,
        read: { Schedule.isText($0) ? $0 : nil })
    static let noSandbox = Option("--no-sandbox", .optionNoSandbox, \.sandboxed, false)
    static let engine = Option(
        "--engine", .words(EngineName.available.map(\.rawValue)), .optionEngine, \.engine,
        read: { text in EngineName.available.first { $0.rawValue == text.lowercased() } },
        else: { .unknownEngine($1) })
    static let submission = Option("--submission", .folder, .optionSubmission, \.submission)
    static let report = Option("--report", .folder, .optionReport, \.report)
    static let reportFile = Option("--report", .file, .optionReportFile, \.report)
    static let jobs = Option("--jobs", "N", 1...Int.max, example: 2, .optionJobs, \.jobs)
    static let katas = Option(list: "--katas", .text("A,B"), .optionKatas, \.katas)
    static let shard = Option("--shard", .text("I/N"), example: "1/4", .optionShard, \.shard, read: { Shard($0) })
    static let format = Option(list: "--format", .text("FORMAT"), .optionFormat, \.formats)
    static let formatOfClass = Option(list: "--format", .words(ReportFormats.choosable), .optionFormat, \.formats)
    static let formatOfSubmission = Option(
        list: "--format", .words(ReportFormats.forSubmissions.map { $0.name }), .optionFormat, \.formats)
    static let release = Option(
        "--release", .text("LEVEL"), example: "core=hint3,robust=titles", .optionRelease, \.release,
        read: { Release($0) })
    static let deadline = Option(
        "--deadline", .text("DATE"), example: "2026-12-01T23:59", .optionDeadline, \.deadline, read: { DateText($0) })
    static let policy = Option("--policy", .file, .optionPolicy, \.policy)
    static let anonymous = Option("--anonymous", .optionAnonymous, \.anonymous, true)
    static let count = Option("--count", "N", 1...Int.max, example: 2, .optionCount, \.count)
    /// A day at most: a mistake such as seconds for minutes is reported.
    static let minutes = Option("--minutes", "M", 1...1440, example: 45, .optionMinutes, \.minutes)
    static let candidate = Option(
        "--candidate", .text("NAME"), .optionCandidate, \.candidate, read: { name($0) { !$0.isEmpty } },
        else: { option, _ in .missingValue(option) })
    static let hints = Option("--hints", "N", 0...Int.max, example: 3, .optionHints, \.hints)
    static let pause = Option("--pause", "M", 1...1440, example: 5, .optionPause, \.pauseMinutes)
    static let noPause = Option("--no-pause", .optionNoPause, \.pauseMinutes, 0)
    static let resume = Option("--resume", .optionResume, \.resumes, true)
    static let blind = Option("--blind", .optionBlind, \.blind, true)
    static let observer = Option("--observer", .optionObserver, \.wantsObserver, true)
    static let observerName = Option(
        "--observer", .text("NAME"), .optionObserverName, \.observer,
        read: { name($0) { !InterviewFolder.safe($0).isEmpty } })
    static let solution = Option("--solution", .optionSolution, \.wantsSolutions, true)
    static let forCandidate = Option("--for-candidate", .optionForCandidate, \.isForCandidate, true)
    static let noSolution = Option("--no-solution", .optionNoSolution, \.wantsSolutions, false)
    static let noObserver = Option("--no-observer", .optionNoObserver, \.wantsObserver, false)
    static let runs = Option("--runs", "N", 1...1000, example: 20, .optionRuns, \.runs)
    static let watch = Option("--watch", .optionWatch, \.watches, true)
    static let phase = Option("--phase", "P", 1...1000, example: 1, .optionPhase, \.phase)
    /// The folder in which a kata or a session is made.
    static let parent = Option("--in", .folder, .optionIn, \.parent)
    static let withTests = Option(
        "--with-tests", .words([KataTest.Tier.core.rawValue]), .optionWithTests, \.withTests,
        read: { $0 == KataTest.Tier.core.rawValue ? .core : nil })
    static let language = Option(
        "--language", .words(Language.allCases.map(\.code)), .optionLanguage, \.language, read: Language.init(named:),
        else: { .unknownLanguage($1, nearest: Language.nearest(to: $1)) })
    static let workbook = Option("--workbook", .folder, .optionWorkbook, \.workbook)
    static let progress = Option("--progress", .file, .optionProgress, \.progress)
    static let help = Option("--help", .none, .optionHelp)
    static let version = Option("--version", .none, .summaryVersion)

    /// Each once, in the order of help.
    static let all: [Option] = [
        json, problems, noCache, seed, schedule, noSandbox, engine, submission, report, jobs, katas, shard, format,
        release, deadline, policy, anonymous, count, minutes, candidate, hints, pause, noPause, resume, blind, observer,
        solution, forCandidate, noSolution, noObserver, runs, watch, phase, parent, withTests, language, workbook,
        progress, help, version,
    ]

    private static func name(_ text: String, where isName: (String) -> Bool) -> String? {
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return isName(name) ? name : nil
    }
}
