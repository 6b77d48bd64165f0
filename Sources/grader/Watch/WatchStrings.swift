import Foundation
import Workbook

/// What the watch screen says.
enum WatchKey: String, CaseIterable, Sendable {
    case welcome = "watch.welcome"
    case chooseLanguage = "watch.chooseLanguage"
    case progress = "watch.progress"
    case file = "watch.file"
    case grading = "watch.grading"
    case building = "watch.building"
    case readBrief = "watch.readBrief"
    case saveToRun = "watch.saveToRun"
    case brief = "watch.brief"
    case list = "watch.list"
    case askReset = "watch.askReset"
    case wasReset = "watch.wasReset"
    case wasResetUnchanged = "watch.wasResetUnchanged"
    case noHint = "watch.noHint"
    case noHintCompile = "watch.noHintCompile"
    case noHintRejected = "watch.noHintRejected"
    case noUse = "watch.noUse"
    case introTitle = "watch.introTitle"
    case introKata = "watch.introKata"
    case introTiers = "watch.introTiers"
    case introFile = "watch.introFile"
    case introHints = "watch.introHints"
    case noNext = "watch.noNext"
    case switched = "watch.switched"
    case checkingAll = "watch.checkingAll"
    case checkedAll = "watch.checkedAll"
    case masteredCount = "watch.masteredCount"
    case effort = "watch.effort"
    case readAnswer = "watch.readAnswer"
    case answers = "watch.answers"
    case answer = "watch.answer"
    case answerPassing = "watch.answerPassing"
    case answerApproach = "watch.answerApproach"
    case noAnswer = "watch.noAnswer"
    case rules = "watch.rules"
    case noRules = "watch.noRules"
    case rulesLearned = "watch.rulesLearned"
    case noEditor = "watch.noEditor"
    case editorFailed = "watch.editorFailed"
    case summaryNextRobust = "watch.summaryNextRobust"
    case summaryInterview = "watch.summaryInterview"
    case nextKata = "watch.nextKata"
    case moreBelow = "watch.moreBelow"
    case summaryStillOpen = "watch.summaryStillOpen"
    case goodbye = "watch.goodbye"
    case sinceSave = "watch.sinceSave"
    case tests = "watch.tests"
    case buildingTests = "watch.buildingTests"
    case compiling = "watch.compiling"
    case running = "watch.running"
    case lookingAgain = "watch.lookingAgain"
    case keyTests = "key.tests"
    case keyRules = "key.rules"
    case keyNext = "key.next"
    case keyHint = "key.hint"
    case keyList = "key.list"
    case keyRun = "key.run"
    case keyBrief = "key.brief"
    case keyLanguage = "key.language"
    case keyQuit = "key.quit"
    case keyEdit = "key.edit"
    case keyCheckAll = "key.checkAll"
    case keyBack = "key.back"
    case keyGoOn = "key.goOn"
    case keyMove = "key.move"
    case keyJump = "key.jump"
    case keyReset = "key.reset"
    case keyChoose = "key.choose"
}

typealias WatchStrings = LocalizedStrings<WatchKey>

extension LocalizedStrings where Key == WatchKey {
    static var watchCatalog: URL { Bundle.module.bundleURL.appendingPathComponent("Watch.xcstrings") }

    init(_ language: Language) throws {
        try self.init(contentsOf: Self.watchCatalog, language: language)
    }
}
