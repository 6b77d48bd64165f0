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
    case noNext = "watch.noNext"
    case nextKata = "watch.nextKata"
    case moreBelow = "watch.moreBelow"
    case summaryStillOpen = "watch.summaryStillOpen"
    case goodbye = "watch.goodbye"
    case keyNext = "key.next"
    case keyHint = "key.hint"
    case keyList = "key.list"
    case keyRun = "key.run"
    case keyBrief = "key.brief"
    case keyLanguage = "key.language"
    case keyQuit = "key.quit"
    case keyBack = "key.back"
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
