import Foundation
import Workbook

/// What a practice session says in addition to watch mode.
enum InterviewKey: String, CaseIterable, Sendable {
    case ready = "interview.ready"
    case readyTime = "interview.readyTime"
    case readyFolder = "interview.readyFolder"
    case readyEditor = "interview.readyEditor"
    case readMe = "interview.readMe"
    case ruleSaves = "interview.ruleSaves"
    case ruleHints = "interview.ruleHints"
    case ruleHintsFree = "interview.ruleHintsFree"
    case rulePause = "interview.rulePause"
    case rulePauseLimited = "interview.rulePauseLimited"
    case ruleNoPause = "interview.ruleNoPause"
    case ruleEnd = "interview.ruleEnd"
    case notBegun = "interview.notBegun"
    case timeLeft = "interview.timeLeft"
    case lastMinutes = "interview.lastMinutes"
    case position = "interview.position"
    case hintsLeft = "interview.hintsLeft"
    case hintsTaken = "interview.hintsTaken"
    case saves = "interview.saves"
    case paused = "interview.paused"
    case pausedExplained = "interview.pausedExplained"
    case savedWhilePaused = "interview.savedWhilePaused"
    case pauseLeft = "interview.pauseLeft"
    case noPause = "interview.noPause"
    case noPauseLeft = "interview.noPauseLeft"
    case noHintsLeft = "interview.noHintsLeft"
    case onlyKata = "interview.onlyKata"
    case fileMissing = "interview.fileMissing"
    case note = "interview.note"
    case noteKept = "interview.noteKept"
    case slept = "interview.slept"
    case away = "interview.away"
    case askFinish = "interview.askFinish"
    case timeUp = "interview.timeUp"
    case finished = "interview.finished"
    case closing = "interview.closing"
    case ungraded = "interview.ungraded"
    case worked = "interview.worked"
    case keptIn = "interview.keptIn"
    case howReport = "interview.howReport"
    case stillOpen = "interview.stillOpen"
    case keyStart = "key.start"
    case keyNext = "key.nextKata"
    case keyNote = "key.note"
    case keyPause = "key.pause"
    case keyGoOn = "key.goOn"
    case keyFinish = "key.finish"
    case keyKeep = "key.keep"
    case keyCancel = "key.cancel"

    // The observer.
    case observerNotBegun = "observer.notBegun"
    case observerNotRunning = "observer.notRunning"
    case observerReadOnly = "observer.readOnly"
    case observerCode = "observer.code"
    case observerVerdict = "observer.verdict"
    case observerNotes = "observer.notes"
    case observerPrivateNote = "observer.privateNote"
    case observerRubric = "observer.rubric"
    case observerNoQuestions = "observer.noQuestions"
    case observerSave = "observer.save"
    case observerBurst = "observer.burst"
    case observerHint = "observer.hint"
    case observerStopped = "observer.stopped"
    case observerOpened = "observer.opened"
    case observerAsleep = "observer.asleep"
    case observerAway = "observer.away"
    case observerJournalLost = "observer.journalLost"
    case observerBusy = "observer.busy"
    case observerCannotKeep = "observer.cannotKeep"
    case observerWatchCommand = "observer.watchCommand"
    case observerQuestions = "observer.questions"
    case keyView = "key.view"
    case keyPrivateNote = "key.privateNote"
    case keyRubric = "key.rubric"
    case keyScorecard = "key.scorecard"
    case keyMark = "key.mark"
    case keySentence = "key.sentence"

    // What is said about reports.
    case reportObserved = "report.observed"
    case reportUnobserved = "report.unobserved"
    case reportInSession = "report.inSession"
    case skipped = "interview.skipped"
    case noSessions = "interview.noSessions"

    // Why a session is not held.
    case busy = "interview.busy"
    case noneOpen = "interview.noneOpen"
    case isOver = "interview.isOver"
    case isUnbegun = "interview.isUnbegun"
    case tooFewKatas = "interview.tooFewKatas"
    case cannotBegin = "interview.cannotBegin"
    case cannotKeep = "interview.cannotKeep"
}

typealias InterviewStrings = LocalizedStrings<InterviewKey>

extension LocalizedStrings where Key == InterviewKey {
    static var interviewCatalog: URL { Bundle.module.bundleURL.appendingPathComponent("Interview.xcstrings") }

    init(_ language: Language) throws {
        try self.init(contentsOf: Self.interviewCatalog, language: language)
    }
}
