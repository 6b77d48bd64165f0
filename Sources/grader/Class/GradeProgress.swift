import Foundation
import Grading
import Reports
import Workbook

/// How far a class is: a bar that stays in its line on a terminal, a line a learner everywhere else.
actor GradeProgress {
    private let context: CommandContext
    private let katas: [Kata]
    private let policy: GradingPolicy
    private var overrides: Overrides
    /// What stands for names, if they are not shown.
    private var numbers: LearnerNumbers?
    private let isTerminal: Bool
    private let clock = ContinuousClock()
    private let start: ContinuousClock.Instant
    private var state = GradeProgressState()
    /// Draws the bar again and again: time goes on, and windows change, also when nothing is decided.
    private var drawing: Task<Void, Never>?

    /// - Parameters:
    ///   - katas: what is graded.
    ///   - policy: how points count.
    ///   - overrides: what was decided for single learners.
    ///   - numbers: what stands for names; `nil` if names are shown.
    init(
        _ context: CommandContext, katas: [Kata], policy: GradingPolicy, overrides: Overrides, numbers: LearnerNumbers?
    ) {
        self.overrides = overrides
        self.numbers = numbers
        self.context = context
        self.katas = katas.map(policy.scaled)
        self.policy = policy
        isTerminal = isatty(STDERR_FILENO) == 1
        start = clock.now
    }

    func tell(_ event: ClassGrading.Event) {
        state.take(event, at: seconds)
        if case .found(let names) = event {
            var generator = SystemRandomNumberGenerator()
            numbers?.add(names, using: &generator)
        }
        if isTerminal {
            guard drawing == nil else { return }
            drawing = Task {
                while !Task.isCancelled {
                    draw()
                    try? await clock.sleep(for: .milliseconds(200))
                }
            }
        } else if case .done(let record) = event {
            context.console.print(lines(record))
        }
    }

    /// What stands for the names of those who were found.
    var givenNumbers: LearnerNumbers? { numbers }

    private func lines(_ record: LearnerRecord) -> [String] {
        // What contradicts itself is reported with the report.
        let override = try? overrides.found(for: record)
        let record = numbers?.anonymous(record) ?? record
        let strings = context.strings
        let name = context.console.plain(record.learner)
        let text = CheckText(strings: strings.reports, style: context.style, hintStep: .command(""))
        let rejections = record.rejections.map { "    " + text.line($0) }
        let problem = record.problem.map { context.console.plain(strings.reports($0)) }
        if let problem, !record.katas.contains(where: { $0.digest != nil }) {
            return [strings(.gradeProblem, .text(name), .text(problem))] + rejections
        }
        let verdicts = policy.scaled(record, katas: katas).katas.map(\.verdict)
        let points = verdicts.reduce(0) { $0 + (override?.points[$1.kata] ?? $1.points) }
        let maxPoints = verdicts.reduce(0) { $0 + $1.maxPoints }
        let lateness = policy.lateness(of: record.time, override)
        let line = strings(
            .gradeLearner, .text(name), .integer(lateness?.reduced(points) ?? points), .integer(maxPoints))
        let others = [lateness.map { strings.reports.text(of: $0, points: points) }, problem].compactMap(\.self)
        return [line] + others.map { "    " + $0 } + rejections
    }

    /// Leaves the line of the bar.
    func end() async {
        guard let drawing else { return }
        drawing.cancel()
        await drawing.value
        draw()
        context.console.sayVerbatim("\n")
    }

    private var seconds: Double { start.duration(to: clock.now) / .seconds(1) }

    private func draw() {
        let seconds = seconds
        let rate = state.perMinute(at: seconds)
        let left = state.secondsLeft(at: seconds).map { context.strings.numbers.seconds($0.rounded()) } ?? "?"
        let text = context.strings(
            .gradeProgress, .integer(state.done), .integer(state.learners), .integer(rate), .text(left))
        let line = state.line(context.console.errors.folded(text), columns: context.console.errorColumns - 1)
        // What a person types, such as Ctrl-C, is shown by the terminal itself: at the line's end it would begin another.
        context.console.sayVerbatim("\r" + line + "\r")
    }
}

/// What a progress bar counts. Times are in seconds, from any beginning.
struct GradeProgressState: Equatable {
    private(set) var learners = 0
    private(set) var done = 0
    /// Submissions that this run graded.
    private(set) var graded = 0
    /// Learners who are done since this run graded something: the others say nothing about how long the rest takes.
    private var fresh = 0
    /// When the grading began: what was prepared before is no part of its pace.
    private var beginning: Double?
    /// When everything will be graded, as it looked when a learner was done last. It is never put off while it lies ahead.
    private var end: Double?

    mutating func take(_ event: ClassGrading.Event, at time: Double) {
        switch event {
        case .found(let names):
            learners = names.count
            beginning = time
        case .decided(let isNew): if isNew { graded += 1 }
        case .done:
            done += 1
            guard graded > 0, let beginning else { return }
            fresh += 1
            let expected = time + (time - beginning) / Double(fresh) * Double(learners - done)
            let stands = end.map { $0 > time } ?? false
            end = stands ? min(end ?? expected, expected) : expected
        }
    }

    var isDone: Bool { done == learners }

    /// The text behind a bar, or alone where there is no room for one. It fills the columns, so that it may be written over
    /// what stood there.
    func line(_ text: String, columns: Int) -> String {
        let room = min(30, columns - CellWidth.of(text) - 3)
        guard room >= 5 else { return text.truncated(toCells: columns).padded(toCells: columns) }
        let filled = learners == 0 ? room : room * done / learners
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: room - filled)
        return "[\(bar)] \(text)".padded(toCells: columns)
    }

    /// What was graded in a minute, from the first one on.
    func perMinute(at time: Double) -> Int {
        guard let beginning, time > beginning else { return 0 }
        return Int((Double(graded) / (time - beginning) * 60).rounded())
    }

    /// `nil` while nothing is known of the pace, and when more time was needed than was expected.
    func secondsLeft(at time: Double) -> Double? {
        if isDone { return 0 }
        return end.flatMap { $0 > time ? $0 - time : nil }
    }
}
