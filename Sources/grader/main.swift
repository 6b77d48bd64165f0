import Foundation

// Whoever closes the other end of a pipe wants no more of the text; the work is still finished.
signal(SIGPIPE, SIG_IGN)

let code = await Grader(
    arguments: Array(CommandLine.arguments.dropFirst()), started: CommandLine.arguments.first ?? "grader",
    environment: ProcessInfo.processInfo.environment,
    workingFolder: URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
).run()
exit(code.rawValue)
