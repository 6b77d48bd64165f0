import Foundation
import Grading
import Workbook

/// How far a class is: a bar that stays in its line on a terminal, a line a learner everywhere else.
actor GradeProgress {
    private let seat: Seat
    private let isTerminal: Bool
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var lastDrawn: ContinuousClock.Instant?
    private var state = GradeProgressState()

    init(_ seat: Seat) {
        self.seat = seat
        isTerminal = isatty(STDERR_FILENO) == 1
        start = clock.now
    }

    func tell(_ event: ClassGrading.Event) {
        state.take(event)
        if isTerminal {
            // A person sees no more than a few drawings a second.
            if let lastDrawn, lastDrawn.duration(to: clock.now) < .milliseconds(100), !state.isDone { return }
            lastDrawn = clock.now
            draw()
        } else if case .done(let learner, let points, let maxPoints, let problem) = event {
            let name = seat.console.plain(learner)
            if let problem {
                seat.console.print(seat.words(.gradeProblem, .text(name), .text(seat.words.reports(problem))))
            } else {
                seat.console.print(seat.words(.gradeLearner, .text(name), .integer(points), .integer(maxPoints)))
            }
        }
    }

    /// Leaves the line of the bar.
    func end() {
        guard isTerminal, lastDrawn != nil else { return }
        draw()
        seat.console.sayVerbatim("\n")
    }

    private func draw() {
        let duration = start.duration(to: clock.now)
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        let rate = state.perMinute(after: seconds)
        let left = state.secondsLeft(after: seconds).map { seat.words.numbers.seconds($0.rounded()) } ?? "?"
        let text = seat.words(
            .gradeProgress, .integer(state.done), .integer(state.learners), .integer(rate), .text(left))
        // The line is written over in full: no codes are needed to clear it.
        let columns = max(20, seat.console.errors.columns) - 1
        let room = max(0, min(30, columns - CellWidth.of(text) - 3))
        let filled = state.learners == 0 ? room : room * state.done / state.learners
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: room - filled)
        let line = seat.console.errors.folded("[\(bar)] \(text)")
        seat.console.sayVerbatim("\r" + line + String(repeating: " ", count: max(0, columns - CellWidth.of(line))))
    }
}

/// What a progress bar counts.
struct GradeProgressState: Equatable {
    private(set) var learners = 0
    private(set) var done = 0
    /// Submissions that this run decided.
    private(set) var decided = 0
    /// Learners who were done before this run decided anything: they say nothing about how long the rest takes.
    private var known = 0

    mutating func take(_ event: ClassGrading.Event) {
        switch event {
        case .found(let learners): self.learners = learners
        case .decided(let isNew): if isNew { decided += 1 }
        case .done:
            done += 1
            if decided == 0 { known += 1 }
        }
    }

    var isDone: Bool { done == learners }

    func perMinute(after seconds: Double) -> Int { seconds > 0 ? Int((Double(decided) / seconds * 60).rounded()) : 0 }

    /// `nil` while nothing is known of the pace.
    func secondsLeft(after seconds: Double) -> Double? {
        let fresh = done - known
        guard fresh > 0 else { return isDone ? 0 : nil }
        return seconds / Double(fresh) * Double(learners - done)
    }
}
