import Grading

extension Command {
    private typealias Perform = @Sendable (CommandContext) async throws -> ExitCode

    func perform(_ context: CommandContext) async throws -> ExitCode {
        // A test checks that each command has a row here.
        guard let perform = Self.performed[self] else { preconditionFailure(name) }
        return try await perform(context)
    }

    /// What performs each command.
    private static let performed: [Command: Perform] = [
        .watch: { try await WatchCommand(context: $0).run() },
        .lsp: interruptible { try await LanguageServerCommand(context: $0).run() },
        .check: interruptible {
            if $0.request.submission == nil {
                try await CheckCommand(context: $0).run()
            } else {
                try await SubmissionCommand(context: $0).run()
            }
        },
        .hint: interruptible { try await HintCommand(context: $0).run() },
        .debug: { try await DebugCommand(context: $0).run() },
        .list: { try ListCommand(context: $0).run() },
        .show: { try ShowCommand(context: $0).run() },
        .reset: { try ResetCommand(context: $0).run() },
        .solution: { try SolutionCommand(context: $0).run() },
        .rule: { try RuleCommand(context: $0).run() },
        .language: { try LanguageCommand(context: $0).run() },
        .doctor: { try await DoctorCommand(context: $0).run() },
        .grade: { try await GradeCommand(context: $0).run() },
        .merge: { try MergeCommand(context: $0).run() },
        .progress: { try ClassProgressCommand(context: $0).run() },
        .interview: { try await InterviewCommand(context: $0).run() },
        .interviewWatch: { try await ObserverCommand(context: $0).run() },
        .interviewReport: { try InterviewReportCommand(context: $0).run() },
        .interviewCompare: { try InterviewCompareCommand(context: $0).run() },
        .interviewList: { try InterviewListCommand(context: $0).run() },
        .kataNew: { try KataNewCommand(context: $0).run() },
        .kataVerify: interruptible { try await KataVerifyCommand(context: $0).run() },
        .handout: { try HandoutCommand(context: $0).run() },
        .completion: { CompletionCommand(context: $0).run() },
        .help: { HelpCommand(context: $0).run() },
        .version: { VersionCommand(context: $0).run() },
    ]

    var isPerformed: Bool { Self.performed[self] != nil }

    /// Work that grades and that a signal may end: nothing that it has started or begun is left then.
    private static func interruptible(_ work: @escaping Perform) -> Perform {
        { context in
            let signals = Signals(Signals.ending) { SubmissionGrader.endProgram(by: $0) }
            defer { withExtendedLifetime(signals) {} }
            return try await work(context)
        }
    }
}
