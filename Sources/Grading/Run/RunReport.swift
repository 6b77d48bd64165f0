import Foundation

/// What was seen of one run of a suite, by the one who listened.
struct RunReport: Equatable {
    /// What was seen of one test.
    struct Observed: Equatable {
        var ended = false
        var skipped = false
        var issues: [Issue] = []
        /// How many expectations it has looked at.
        var expectations = 0
        /// How many orders of steps it has tried.
        var orders = 0
        var issueBytes: Int { issues.reduce(0) { $0 + $1.bytes } }
        /// The order of steps in which the process crashed, as JSON.
        var schedule: String?
        /// How many issues beyond those that are kept.
        var issuesCut = 0
        var output: [UInt8] = []
        var outputCut = 0
    }

    struct ForgedLine: Equatable {
        /// From 1.
        var number: Int
        /// Its beginning.
        var text: String
    }

    enum Stop: Equatable {
        /// A test said nothing for as long as a test may take.
        case testLimit
        /// Every task and thread waits for something that can no longer happen.
        case deadlock
        /// A test cannot end, or has failed, and code of it computes without end.
        case endless
        /// The suite's time was used up.
        case suiteLimit
        /// It started more threads than a kata may have.
        case threadLimit
        /// A line came that the harness did not write.
        case forgery
    }

    /// For how long the run could not go on through no fault of its tests: it had no processor, or was being started.
    var heldUp = Duration.zero
    /// The tests that were asked for.
    var asked: [String]
    var tests: [String: Observed] = [:]
    /// In the order in which they were started.
    var started: [String] = []
    /// Tests that ended without an issue when no control test has failed after them: whether they passed is not known.
    var unconfirmed: Set<String> = []
    /// The first test at whose end code was running that computes without end.
    var firstEndless: String?
    /// The harness has begun. Nothing of the submission has been loaded before.
    var opened = false
    /// What was printed before the first test: by the sandbox, where it cannot start the harness.
    var firstOutput: [UInt8] = []
    /// The harness has said that it is done.
    var closed = false
    /// Why the harness could not run the suite.
    var broken: [String]?
    var stop: Stop?
    /// The line that the harness did not write, or not there.
    var forgedLine: ForgedLine?
    var ending: ChildProcess.Ending = .stopped
    /// The process ended by itself, and its exit code is not known.
    var endedWithUnknownCode = false
    /// The most memory that the process held at a time.
    var residentBytes = 0

    /// The test that was running when it ended.
    var current: String? { started.last.flatMap { tests[$0]?.ended == false ? $0 : nil } }
    /// The test that ended the run, where that may be the doing of a test before it: endless code takes the processor from all
    /// that runs in the process, and its limit on processor time is that of all tests together.
    var disturbed: String? {
        guard let last = started.last, last != started.first, stop != .suiteLimit, !isComplete else { return nil }
        let hasComputed = ending == .signaled(SIGXCPU)
        return hasComputed || (firstEndless != nil && firstEndless != last) ? last : nil
    }

    /// Notes that code seems to compute without end now that a test has ended: where the test has failed, the run is over.
    mutating func noteEndless() {
        guard let last = started.last, let test = tests[last], test.ended else { return }
        firstEndless = firstEndless ?? last
        if !test.issues.isEmpty { stop = .endless }
    }

    /// Whether all that was asked for was done, and the process ended as the harness ends it.
    var isComplete: Bool { closed && stop == nil && broken == nil && ending == .exited(0) }
}
