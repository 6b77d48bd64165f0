import Foundation
import Storage
import Workbook

/// What a report says in addition to the messages of a verdict.
public enum ReportKey: String, CaseIterable, Sendable {
    // Labels.
    case outcomeNotStarted = "outcome.notStarted"
    case outcomeDidNotCompile = "outcome.didNotCompile"
    case outcomeFailed = "outcome.failed"
    case outcomePassed = "outcome.passed"
    case outcomeMastered = "outcome.mastered"
    case outcomeRejected = "outcome.rejected"
    case testPassed = "test.passed"
    case testFailed = "test.failed"
    case testCrashed = "test.crashed"
    case testTimedOut = "test.timedOut"
    case testNotRun = "test.notRun"
    case tierCore = "tier.core"
    case tierRobust = "tier.robust"
    case labelInput = "label.input"
    case labelExpected = "label.expected"
    case labelActual = "label.actual"
    case labelKata = "label.kata"
    case labelDifficulty = "label.difficulty"
    case phase = "phase.title"
    case phaseWithoutTitle = "phase.number"
    case labelState = "label.state"
    case labelPoints = "label.points"
    case labelFile = "label.file"
    case labelHints = "label.hints"

    // What a check found.
    case corePass = "check.corePass"
    case robustPass = "check.robustPass"
    case points = "check.points"
    case lateness = "check.lateness"
    case firstError = "check.firstError"
    case startHere = "check.startHere"
    case outputCaption = "check.outputCaption"
    case outputCut = "check.outputCut"
    case codeCut = "check.codeCut"
    case outputLimit = "check.outputLimit"
    case differsAt = "check.differsAt"
    case dependents = "check.dependents"
    case nextHint = "check.nextHint"
    case nextHintKey = "check.nextHintKey"
    case nextKata = "check.nextKata"
    case modelAnswer = "check.modelAnswer"
    case seed = "check.seed"
    case allPassed = "check.allPassed"
    case allMastered = "check.allMastered"

    // Why a test did not run.
    case notRunDidNotCompile = "notRun.didNotCompile"
    case notRunRejected = "notRun.rejected"
    case notRunNotHandedIn = "notRun.notHandedIn"
    case notRunNotStarted = "notRun.notStarted"
    case notRunEnded = "notRun.ended"

    // Hints.
    case hintHeading = "hint.heading"
    case hintMore = "hint.more"
    case hintLast = "hint.last"
    case hintLastOfTest = "hint.lastOfTest"
    case hintNone = "hint.none"

    // What is wrong with an instructor's comments.
    case reportFileUnreadable = "reportFile.unreadable"
    case commentUnexpected = "comment.unexpected"
    case commentKata = "comment.kata"
    case commentTest = "comment.test"

    // Why the system refused something.
    case reasonNotPermitted = "reason.notPermitted"
    case reasonReadOnly = "reason.readOnly"
    case reasonDiskFull = "reason.diskFull"
    case reasonNoSuchFile = "reason.noSuchFile"
    case reasonIsFolder = "reason.isFolder"

    public init(_ outcome: Verdict.Outcome) {
        self =
            switch outcome {
            case .notStarted: .outcomeNotStarted
            case .didNotCompile: .outcomeDidNotCompile
            case .failed: .outcomeFailed
            case .passed: .outcomePassed
            case .mastered: .outcomeMastered
            case .rejected: .outcomeRejected
            }
    }

    public init(_ outcome: TestVerdict.Outcome) {
        self =
            switch outcome {
            case .passed: .testPassed
            case .failed: .testFailed
            case .crashed: .testCrashed
            case .timedOut: .testTimedOut
            case .notRun: .testNotRun
            }
    }

    public init(_ tier: KataTest.Tier) {
        self =
            switch tier {
            case .core: .tierCore
            case .robust: .tierRobust
            }
    }
}

public typealias ReportStrings = LocalizedStrings<ReportKey>

extension LocalizedStrings where Key == ReportKey {
    /// The catalog of this module.
    public static var reportsCatalog: URL { Bundle.module.bundleURL.appendingPathComponent("Reports.xcstrings") }

    public init(_ language: Language) throws {
        try self.init(contentsOf: Self.reportsCatalog, language: language)
    }

    /// A message in this language.
    public func callAsFunction(_ message: LocalizableMessage) -> String {
        let arguments = message.arguments.enumerated().map { place, text -> StringCatalog.Argument in
            if place == message.key.failureArgument, let code = Int32(text) {
                return .text(reason(SystemFailure(code)))
            }
            return place == message.key.listArgument ? .list(text.components(separatedBy: ", ")) : .text(text)
        }
        return catalog.text("statement." + message.key.rawValue, arguments)
    }

    public func reason(_ failure: SystemFailure) -> String {
        switch failure {
        case .notPermitted: self(.reasonNotPermitted)
        case .readOnlyFileSystem: self(.reasonReadOnly)
        case .diskFull: self(.reasonDiskFull)
        case .noSuchFile: self(.reasonNoSuchFile)
        case .isFolder: self(.reasonIsFolder)
        case .other(let code): String(cString: strerror(code))
        }
    }

    public func callAsFunction(_ outcome: Verdict.Outcome) -> String { self(ReportKey(outcome)) }

    public func callAsFunction(_ outcome: TestVerdict.Outcome) -> String { self(ReportKey(outcome)) }
}
