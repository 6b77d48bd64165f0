/// `grader lsp`: verdicts in an editor, by the Language Server Protocol on standard input and output.
struct LanguageServerCommand: Sendable {
    let context: CommandContext

    func run() async throws -> ExitCode { try await LanguageServerSession(context).run() }
}
