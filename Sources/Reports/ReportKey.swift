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
    case strandAsync = "strand.async"
    case strandOperators = "strand.operators"
    case strandBetween = "strand.between"
    case strandProtocols = "strand.protocols"
    case themeCancellation = "theme.cancellation"
    case themeLatest = "theme.latest"
    case themeErrors = "theme.errors"
    case themeDemand = "theme.demand"
    case themeThreads = "theme.threads"
    case themeMemory = "theme.memory"
    case themeIndependence = "theme.independence"
    case themeValues = "theme.values"
    case themeUpdates = "theme.updates"
    case themeComplete = "theme.complete"
    case labelState = "label.state"
    case labelPoints = "label.points"
    case labelFile = "label.file"
    case labelHints = "label.hints"

    // What a check found.
    case corePass = "check.corePass"
    case robustPass = "check.robustPass"
    case points = "check.points"
    case lateBy = "check.lateBy"
    case lateness = "check.lateness"
    case firstError = "check.firstError"
    case startHere = "check.startHere"
    case outputCaption = "check.outputCaption"
    case outputCut = "check.outputCut"
    case codeCut = "check.codeCut"
    case outputLimit = "check.outputLimit"
    case differsAt = "check.differsAt"
    case dependents = "check.dependents"
    case otherThemes = "check.otherThemes"
    case nextHint = "check.nextHint"
    case nextHintKey = "check.nextHintKey"
    case nextKata = "check.nextKata"
    case modelAnswer = "check.modelAnswer"
    case unusedFiles = "check.unusedFiles"
    case seed = "check.seed"
    case allPassed = "check.allPassed"
    case allMastered = "check.allMastered"

    // What to do about an error of the compiler's.
    case compileModule = "compile.module"
    case compileFoundation = "compile.foundation"
    case compileSynchronization = "compile.synchronization"
    case compileAmbiguous = "compile.ambiguous"
    case compileInferred = "compile.inferred"
    case compileLabel = "compile.label"
    case compileAsync = "compile.async"
    case compileAwait = "compile.await"
    case compileTry = "compile.try"
    case compileIsolated = "compile.isolated"
    case compileBeforeSet = "compile.beforeSet"
    case compileCaptured = "compile.captured"
    case compileSendable = "compile.sendable"
    case compileErase = "compile.erase"
    case compileConforms = "compile.conforms"
    case compileSelf = "compile.self"
    case compileBraces = "compile.braces"

    // What threads did, and in which order.
    case labelThread = "label.thread"
    case scheduleRace = "schedule.race"
    case scheduleOrder = "schedule.order"
    case scheduleAgain = "schedule.again"
    case scheduleFine = "schedule.fine"
    case accessReads = "access.reads"
    case accessWrites = "access.writes"
    case accessChanges = "access.changes"
    case accessCalls = "access.calls"
    case deedReads = "deed.reads"
    case deedWrites = "deed.writes"
    case deedChanges = "deed.changes"
    case deedLocks = "deed.locks"
    case deedUnlocks = "deed.unlocks"
    case deedWaits = "deed.waits"
    case deedResumes = "deed.resumes"
    case deedStarts = "deed.starts"
    case deedCalls = "deed.calls"
    case deedEnds = "deed.ends"
    case waitLock = "wait.lock"
    case waitCondition = "wait.condition"
    case waitSemaphore = "wait.semaphore"
    case waitQueue = "wait.queue"
    case waitThread = "wait.thread"
    case waitTask = "wait.task"
    case waitSleep = "wait.sleep"
    case waitOther = "wait.other"

    // Hints for what any kata may show (`HintRule.general`).
    case generalCompletionForFailure1 = "general.completionForFailure.1"
    case generalCompletionForFailure2 = "general.completionForFailure.2"
    case generalCompletionForFailure3 = "general.completionForFailure.3"
    case generalCancelIsNoCompletion1 = "general.cancelIsNoCompletion.1"
    case generalCancelIsNoCompletion2 = "general.cancelIsNoCompletion.2"
    case generalCancelIsNoCompletion3 = "general.cancelIsNoCompletion.3"
    case generalDroppedIsNoEnd1 = "general.droppedIsNoEnd.1"
    case generalDroppedIsNoEnd2 = "general.droppedIsNoEnd.2"
    case generalDroppedIsNoEnd3 = "general.droppedIsNoEnd.3"
    case generalOpenStream1 = "general.openStream.1"
    case generalOpenStream2 = "general.openStream.2"
    case generalOpenStream3 = "general.openStream.3"
    case generalDataRace1 = "general.dataRace.1"
    case generalDataRace2 = "general.dataRace.2"
    case generalDataRace3 = "general.dataRace.3"
    case generalDeadlock1 = "general.deadlock.1"
    case generalDeadlock2 = "general.deadlock.2"
    case generalDeadlock3 = "general.deadlock.3"
    case generalGlobal1 = "general.global.1"
    case generalGlobal2 = "general.global.2"
    case generalGlobal3 = "general.global.3"
    case generalNestedTask1 = "general.nestedTask.1"
    case generalNestedTask2 = "general.nestedTask.2"
    case generalNestedTask3 = "general.nestedTask.3"
    case generalTaskValue1 = "general.taskValue.1"
    case generalTaskValue2 = "general.taskValue.2"
    case generalTaskValue3 = "general.taskValue.3"
    case generalResumedTwice1 = "general.resumedTwice.1"
    case generalResumedTwice2 = "general.resumedTwice.2"
    case generalResumedTwice3 = "general.resumedTwice.3"
    case generalExtraSubscription1 = "general.extraSubscription.1"
    case generalExtraSubscription2 = "general.extraSubscription.2"
    case generalExtraSubscription3 = "general.extraSubscription.3"

    // Why a test did not run.
    case notRunDidNotCompile = "notRun.didNotCompile"
    case notRunRejected = "notRun.rejected"
    case notRunNotHandedIn = "notRun.notHandedIn"
    case notRunNotStarted = "notRun.notStarted"
    case notRunEnded = "notRun.ended"

    // Rules.
    case ruleTrap = "rule.trap"
    case ruleComesBack = "rule.comesBack"
    case ruleSolved = "rule.solved"

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
    case commentTestNearest = "comment.testNearest"

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

    public init(_ strand: Strand) {
        self =
            switch strand {
            case .async: .strandAsync
            case .operators: .strandOperators
            case .between: .strandBetween
            case .protocols: .strandProtocols
            }
    }

    public init(_ theme: Theme) {
        self =
            switch theme {
            case .cancellation: .themeCancellation
            case .latest: .themeLatest
            case .errors: .themeErrors
            case .demand: .themeDemand
            case .threads: .themeThreads
            case .memory: .themeMemory
            case .independence: .themeIndependence
            case .values: .themeValues
            case .updates: .themeUpdates
            }
    }

    /// Of an access, only this is told: whether it reads or changes, or leaves that to what it calls.
    public init(access deed: Deed) {
        self =
            switch deed {
            case .reads: .accessReads
            case .writes: .accessWrites
            case .changes: .accessChanges
            case .locks, .unlocks, .waits, .resumes, .starts, .calls, .ends: .accessCalls
            }
    }

    public init(_ deed: Deed) {
        self =
            switch deed {
            case .reads: .deedReads
            case .writes: .deedWrites
            case .changes: .deedChanges
            case .locks: .deedLocks
            case .unlocks: .deedUnlocks
            case .waits: .deedWaits
            case .resumes: .deedResumes
            case .starts: .deedStarts
            case .calls: .deedCalls
            case .ends: .deedEnds
            }
    }

    public init(_ cause: Schedule.Wait.Cause) {
        self =
            switch cause {
            case .lock: .waitLock
            case .condition: .waitCondition
            case .semaphore: .waitSemaphore
            case .queue: .waitQueue
            case .thread: .waitThread
            case .task: .waitTask
            case .sleep: .waitSleep
            case .other: .waitOther
            }
    }

    init(_ mistake: CompileMistake) {
        self =
            switch mistake {
            case .module: .compileModule
            case .synchronization: .compileSynchronization
            case .foundation: .compileFoundation
            case .ambiguous: .compileAmbiguous
            case .inferred: .compileInferred
            case .label: .compileLabel
            case .async: .compileAsync
            case .await: .compileAwait
            case .try: .compileTry
            case .isolated: .compileIsolated
            case .beforeSet: .compileBeforeSet
            case .captured: .compileCaptured
            case .sendable: .compileSendable
            case .erase: .compileErase
            case .conforms: .compileConforms
            case .braces: .compileBraces
            case .explicitSelf: .compileSelf
            }
    }
}

extension ReportKey: CatalogKey {
    public static var catalog: URL { Bundle.module.bundleURL.appendingPathComponent("Reports.xcstrings") }
}

public typealias ReportStrings = LocalizedStrings<ReportKey>

extension LocalizedStrings where Key == ReportKey {
    /// A message in this language.
    public func callAsFunction(_ message: LocalizableMessage) -> String {
        let arguments = message.arguments.enumerated().map { place, text -> StringCatalog.Argument in
            if place == message.key.failureArgument, let code = Int32(text) {
                return .text(reason(SystemFailure(code)))
            }
            return place == message.key.listArgument ? .list(text.components(separatedBy: ", ")) : .text(text)
        }
        return catalog.text("message." + message.key.rawValue, arguments)
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
