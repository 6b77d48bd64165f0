import Foundation
import Grading
import Reports
import Storage
import Workbook

/// What a command is given: what was typed and where, the workbook that is meant, and what it can write to.
struct CommandContext: Sendable {
    let request: CommandLineRequest
    let console: Console
    let strings: CommandStrings
    let environment: [String: String]
    let workingFolder: URL
    /// How the person starts the program, as far as it can be known.
    let program: String
    /// The workbook that `--workbook` names, or that the working folder lies in; `nil` where there is no such workbook.
    let workbook: WorkbookFolder?
    /// The engine that the environment names.
    let engineOfEnvironment: String?
    let store: ProgressStore?
    /// What the progress file held when the command began.
    let progress: LearnerProgress
    /// Why the progress file could not be read; reported when something has to be remembered.
    let progressProblem: ProgressStore.Problem?

    var language: Language { strings.language }
    var style: TextStyle { console.output }

    init(
        _ request: CommandLineRequest, console: Console, environment: [String: String], workingFolder: URL,
        program: String
    ) throws {
        self.request = request
        self.console = console
        self.environment = environment
        self.workingFolder = workingFolder
        self.program = program
        engineOfEnvironment = environment["GRADER_ENGINE"].flatMap { $0.isEmpty ? nil : $0 }
        let workbook = Self.workbook(request, workingFolder)
        self.workbook = workbook
        store =
            if let file = request.progress {
                ProgressStore(file: URL(fileURLWithPath: file, relativeTo: workingFolder).absoluteURL)
            } else {
                workbook.map { ProgressStore(file: $0.graderFolder.appendingPathComponent("progress.json")) }
            }
        var contents = ProgressStore.Contents()
        var problem: ProgressStore.Problem?
        do {
            contents = try store?.load() ?? contents
        } catch {
            problem = error
        }
        progress = contents.progress
        progressProblem = problem
        strings = try CommandStrings(
            request.language ?? progress.language ?? Language(environment: environment) ?? .english)
        if let kept = contents.damagedFileKeptAt {
            console.say(strings(.progressDamaged, .text(typed(kept))))
        }
    }

    private static func workbook(_ request: CommandLineRequest, _ workingFolder: URL) -> WorkbookFolder? {
        guard let path = request.workbook else { return WorkbookFolder(containing: workingFolder) }
        let folder = URL(fileURLWithPath: path, relativeTo: workingFolder).absoluteURL
        // The folder that is named, and not one above it.
        guard let workbook = WorkbookFolder(containing: folder), workbook == WorkbookFolder(folder) else { return nil }
        return workbook
    }

    /// The workbook, for a command that needs one.
    func requireWorkbook() throws(CommandError) -> WorkbookFolder {
        if let workbook { return workbook }
        guard let named = request.workbook else {
            throw error(WorkbookError(.noWorkbook, workingFolder.path))
        }
        let message =
            if let above = WorkbookFolder(containing: folder(named)) {
                strings(.notAWorkbookNearest, .text(named), .text(above.url.path))
            } else {
                strings(.notAWorkbook, .text(named))
            }
        throw CommandError(message: message, code: .usage)
    }

    /// The folder of a path as it was typed.
    func folder(_ path: String) -> URL {
        URL(fileURLWithPath: path, relativeTo: workingFolder).absoluteURL.standardizedFileURL
    }

    /// A path as the person would type it: relative to the working folder where that is in the workbook.
    func typed(_ file: URL) -> String {
        let path = file.standardizedFileURL.pathComponents
        let here = workingFolder.standardizedFileURL.pathComponents
        let common = zip(path, here).prefix { $0 == $1 }.count
        guard let root = workbook?.url.standardizedFileURL.pathComponents, common >= root.count else {
            return common == here.count ? path.dropFirst(common).joined(separator: "/") : file.path
        }
        let up = [String](repeating: "..", count: here.count - common)
        return (up + path.dropFirst(common)).joined(separator: "/")
    }

    /// A command line as the person would type it here. It names the workbook where that is not found from the working
    /// folder.
    ///
    /// - Parameter workbook: another workbook than the one that is meant.
    func commandLine(_ command: Command?, _ operands: String..., workbook: WorkbookFolder? = nil) -> String {
        commandLine(command, operands, workbook: workbook)
    }

    func commandLine(_ command: Command?, _ operands: [String], workbook: WorkbookFolder? = nil) -> String {
        var words = [program] + [command?.name].compactMap(\.self) + operands
        if let workbook = workbook ?? self.workbook, WorkbookFolder(containing: workingFolder) != workbook {
            words += [Option.workbook.name, typed(workbook.url)]
        }
        return words.joined(separator: " ")
    }

    /// Writes files, by their paths in a folder, and makes the folders that they need.
    func write(_ files: [String: String], into folder: URL) throws(CommandError) {
        for (path, text) in files.sorted(by: { $0.key < $1.key }) {
            try write(folder.appendingPathComponent(path)) { try Data(text.utf8).write(to: $0) }
        }
    }

    /// Makes the folder that a file needs, and then the file. Where that fails, the error names the file.
    func write(_ file: URL, _ work: (URL) throws -> Void) throws(CommandError) {
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try work(file)
        } catch {
            let reason = strings.reason(SystemFailure(error))
            throw CommandError(message: strings(.fileNotWritten, .text(typed(file)), .text(reason)), code: .trouble)
        }
    }

    /// An error as the person reads it.
    func error(_ error: any Error) -> CommandError { CommandError(error, strings) }
}
