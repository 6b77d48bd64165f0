/// `grader watch`: grades a kata again on each save.
struct WatchCommand: Sendable {
    let context: CommandContext

    func run() async throws -> ExitCode {
        guard context.console.canWatch else {
            let once = context.commandLine(.check)
            throw CommandError(message: context.strings(.watchNeedsTerminal, .text(once)), code: .usage)
        }
        let session = try await WatchSession(context, startingWith: context.request.operands.first)
        let code = await session.run()
        context.console.print(try await session.goodbye)
        return code
    }
}
