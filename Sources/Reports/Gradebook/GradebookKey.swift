import Foundation
import Workbook

/// What a gradebook says in addition to what every report and every page says.
public enum GradebookKey: String, CaseIterable, Sendable {
    case title
    case `class`
    case learner
    case learners
    case maxPoints
    case average
    case problem
    case problems
    case distribution
    case distributionAxis
    case hardest
    case failing
    case themes
    case themesNote
    case time
    case seconds
    case total
    case median
    case medianOfAll
    case slowest
    case identical
    case identicalTo
    case known
    case knownNote
    case similar
    case similarNote
    case similarPicture
    case similarPairsLeftOut
    case sideBySide
    case sideBySideNote
    case matches
    case previousPair
    case nextPair
    case heatMap
    case classTable
    case notHandedIn
    case handedIn
    case number
    case email
    case late
    case lateBy
    case deadlineNotApplied
    case deduction
    case pointsBefore
    case extended
    case lateExcused
    case pointsGiven
    case reason
    case filterName
    case filterState
    case filterAll
    case filterUnpassed
    case filterProblems
    case filterIdentical
    case filterSimilar
    case filterLate
    case sortBy
    case shown
    case noMatch
    case previous
    case next
    case previousLearner
    case nextLearner
    case back
    case sources
    case keys
    case results
    case codeNotKept
    case comment
    case look
    case toLookAt
}

extension GradebookKey: CatalogKey {
    public static var catalog: URL { Bundle.module.bundleURL.appendingPathComponent("Gradebook.xcstrings") }
}

public typealias GradebookStrings = LocalizedStrings<GradebookKey>
