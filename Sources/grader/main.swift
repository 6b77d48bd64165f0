import Foundation

// If the other end of a pipe is closed, no more text is wanted; the work is still finished.
signal(SIGPIPE, SIG_IGN)

let code = await Grader(
    arguments: Array(CommandLine.arguments.dropFirst()), started: CommandLine.arguments.first ?? "grader",
    environment: ProcessInfo.processInfo.environment,
    workingFolder: URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
).run()
exit(code.rawValue)
