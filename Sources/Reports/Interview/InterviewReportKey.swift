import Foundation
import Workbook

/// What the report of an interview says in addition to what every report and every page says.
public enum InterviewReportKey: String, CaseIterable, Sendable {
    case title
    case results
    case candidate
    case begun
    case worked
    case realTime
    case save
    case saveNumber
    case hintNumber
    case saves
    case bursts
    case burst
    case stopped
    case stoppedSave
    case note
    case notes
    case observer
    case privateNote
    case rubric
    case question
    case markGiven
    case sentence
    case paused
    case asleep
    case away
    case opened
    case closed
    case end
    case endFinished
    case endTimeUp
    case endOpen
    case timeline
    case timelineHelp
    case passing
    case allTests
    case coreTests
    case firstMoment
    case previousMoment
    case nextMoment
    case lastMoment
    case play
    case stop
    case speed
    case speedNote
    case moments
    case onlyMarks
    case codeChanged
    case codeSame
    case codeFirst
    case codeAtEnd
    case codeNone
    case verdict
    case verdictNone
    case verdictMissing
    case verdictNotYet
    case passesNow
    case passesNoMore
    case diagnostics
    case answer
    case answerShow
    case answerHide
    case answerHow
    case answerSource
    case answerLeftOut
    case testByTest
    case firstPassed
    case broke
    case atEnd
    case kataByKata
    case firstCorePass
    case passedAt
    case masteredAt
    case timeSpent
    case time
    case history
    case keys
    case remarkOpen
    case remarkNoJournal
    case remarkClock
    case remarkOf
    case remarkMissing
    case remarkJournalLost
    case remarkUngraded
    case remarkUnseen
    case remarkStopped
    case comparisonTitle
    case session
    case sessions
    case comparisonNothing
    case comparisonLeftOut
    case comparisonChanged
    case comparisonLength
    case comparisonBlind
    case replay

    public init(_ end: InterviewRecord.End?) {
        self =
            switch end {
            case .finished: .endFinished
            case .timeUp: .endTimeUp
            case nil: .endOpen
            }
    }
}

extension InterviewReportKey: CatalogKey {
    public static var catalog: URL { Bundle.module.bundleURL.appendingPathComponent("InterviewReport.xcstrings") }
}

public typealias InterviewReportStrings = LocalizedStrings<InterviewReportKey>
