import Foundation
import Workbook

/// Makes reports of what one `swift test` delivers: SwiftPM's own words, what the test processes print, and the events of
/// Swift Testing.
///
/// SwiftPM runs XCTest in one process and then Swift Testing in another, also when the first one crashes; so each has a report of
/// its own. XCTest has no events, so its text is read.
struct PortableListener {
    private var xctest: RunReport
    private var testing: RunReport
    private var hasTestingBegun = false
    /// When a test was last started or ended, or when the run began.
    private(set) var lastEvent = ContinuousClock.now
    /// When the first test process said something: what comes before is the build.
    private(set) var runBegan: ContinuousClock.Instant?
    /// What SwiftPM last said of the build.
    private(set) var buildProgress: BuildProgress?
    /// Tests that ran although they were not asked for.
    private(set) var surplus: [String] = []
    /// What SwiftPM printed: the compiler's messages, and how a test process ended.
    private(set) var words: [UInt8] = []

    private let outputLimit: Int
    private var pendingWords: [UInt8] = []
    private var pendingEvents: [UInt8] = []
    private var pendingOutput: [UInt8] = []
    /// A failure whose text goes on in the next lines.
    private var openIssue: (test: String, lines: [String])?
    /// The tests of Swift Testing that have an event, in order, and what was printed while each ran.
    private var testingStarts: [String] = []
