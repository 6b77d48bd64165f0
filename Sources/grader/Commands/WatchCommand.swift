/// `grader watch`: grades a kata again on each save.
struct WatchCommand: Sendable {
    let seat: Seat

    func run() async throws -> ExitCode {
        guard seat.console.canWatch else {
            let once = "\(seat.program) check"
            throw Stop(sentence: seat.words(.watchNeedsTerminal, .text(once)), code: .usage)
        }
        let session = try await WatchSession(seat, startingWith: seat.request.operands.first)
        let code = await session.run()
        seat.console.print(try await session.goodbye(program: seat.program))
        return code
    }
}
