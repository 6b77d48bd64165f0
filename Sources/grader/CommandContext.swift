import Foundation
import Grading
import Reports
import Workbook

/// Where a person sits: their workbook, their progress, their language, their terminal.
struct CommandContext: Sendable {
    let request: CommandLineRequest
    let console: Console
    let strings: CommandStrings
    let workingFolder: URL
    /// How the person starts the program, as far as it can be told.
    let program: String
    /// The workbook; `nil` where there is none to be found.
    let workbook: WorkbookFolder?
    let store: ProgressStore?
    /// What was remembered when the command began.
    let progress: LearnerProgress
    /// Why nothing could be remembered; told when something has to be.
    let progressProblem: ProgressStore.Problem?

    var language: Language { strings.language }
    var style: TextStyle { console.output }

    init(
        _ request: CommandLineRequest, console: Console, environment: [String: String], workingFolder: URL,
        program: String
    ) throws {
        self.request = request
        self.console = console
        self.workingFolder = workingFolder
        self.program = program
        workbook = Self.workbook(request, workingFolder)
        store =
            if let file = request.progress {
                ProgressStore(file: URL(fileURLWithPath: file, relativeTo: workingFolder).absoluteURL)
            } else {
                workbook.map { ProgressStore(file: $0.graderFolder.appendingPathComponent("progress.json")) }
            }
        var remembered = ProgressStore.Contents()
        var problem: ProgressStore.Problem?
        do {
            remembered = try store?.load() ?? remembered
        } catch {
            problem = error
        }
        progress = remembered.progress
        progressProblem = problem
        strings = try CommandStrings(
            request.language ?? progress.language ?? Language(environment: environment) ?? .english)
        if let kept = remembered.damagedFileKeptAt {
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

    // MARK: - The workbook

    /// The workbook, for a command that cannot do without.
    func requireWorkbook() throws(CommandError) -> WorkbookFolder {
        if let workbook { return workbook }
        guard let named = request.workbook else {
            throw CommandError(
                message: strings.reports(LocalizableMessage(.noWorkbook, workingFolder.path)), code: .trouble)
        }
        let folder = URL(fileURLWithPath: named, relativeTo: workingFolder).absoluteURL
        let sentence =
            if let above = WorkbookFolder(containing: folder) {
                strings(.notAWorkbookNearest, .text(named), .text(above.url.path))
            } else {
                strings(.notAWorkbook, .text(named))
            }
        throw CommandError(message: sentence, code: .usage)
    }

    func katas() throws(CommandError) -> [Kata] {
        do {
            return try requireWorkbook().katas()
        } catch let error as WorkbookError {
            throw CommandError(message: strings.reports(error.message), code: .trouble)
        } catch let stop as CommandError {
            throw stop
        } catch {
            throw CommandError(message: "\(error)", code: .trouble)
        }
    }

    /// The kata that a person means: in any case, or by the path of its file.
    func kata(_ name: String, among katas: [Kata]) throws(CommandError) -> Kata {
        if let kata = Self.exactly(name, among: katas) { return kata }
        let names = katas.map(\.kata)
        let bare = Self.bare(name)
        if let nearest = NearestName(to: bare, among: names).name {
            throw CommandError(message: strings(.unknownKataNearest, .text(name), .text(nearest)), code: .usage)
        }
        throw CommandError(
            message: strings(.unknownKata, .text(name), .text(names.joined(separator: ", "))), code: .usage)
    }

    /// The kata of a name in any case, or of a path to something in its folder.
    private static func exactly(_ name: String, among katas: [Kata]) -> Kata? {
        let names = [bare(name)] + name.split(separator: "/").reversed().map(String.init)
        return names.lazy.compactMap { name in katas.first { $0.kata.lowercased() == name.lowercased() } }.first
    }

    /// The last part of a path, without the ending that the files have.
    private static func bare(_ name: String) -> String {
        let last = name.split(separator: "/").last.map(String.init) ?? name
        return last.lowercased().hasSuffix(".swift") ? String(last.dropLast(".swift".count)) : last
    }

    /// Where a kata stands in the command's place, the command that grades it.
    func message(ofKataNamedIn mistake: CommandLineRequest.Mistake) -> String? {
        guard case .unknownCommand(let name, let nearest) = mistake, let katas = try? katas() else { return nil }
        if let kata = Self.exactly(name, among: katas) {
            return strings(
                .kataWithoutCommand, .text(name), .text("\(program) \(Command.check.rawValue) \(kata.kata)"))
        }
        guard nearest == nil, let kata = NearestName(to: Self.bare(name), among: katas.map(\.kata)).name else {
            return nil
        }
        return strings(.unknownCommandNearest, .text(name), .text("\(Command.check.rawValue) \(kata)"))
    }

    /// The kata to work on: the first that is not passed, then the first that is not mastered.
    func currentKata(among katas: [Kata]) -> Kata? {
        func best(_ kata: Kata) -> Verdict.Outcome { progress.katas[kata.kata]?.best?.outcome ?? .notStarted }
        return katas.first { best($0) != .passed && best($0) != .mastered } ?? katas.first { best($0) != .mastered }
    }

    /// What the kata says, in the person's language.
    func texts(of kata: Kata) throws(CommandError) -> KataTexts {
        let file = try requireWorkbook().exercise(kata.kata).appendingPathComponent("Hints.xcstrings")
        do {
            return try KataTexts(contentsOf: file, language: language)
        } catch {
            throw CommandError(
                message: strings.reports(LocalizableMessage(.unreadableKata, typed(file), "\(error)")), code: .trouble)
        }
    }

    /// A path as the person would type it: relative to where they stand, when that is in the workbook.
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

    // MARK: - The grader

    /// - Parameter strangers: the code is not the learner's own, and is not run without a sandbox unless that is said.
    func grader(seed: UInt64, strangers: Bool = false) throws(CommandError) -> SubmissionGrader {
        var options = SubmissionGrader.Options()
        options.seed = seed
        options.usesCache = request.usesCache
        options.sandbox = !request.sandboxed ? .none : strangers ? .required : .whenAvailable
        if let jobs = request.jobs { options.jobs = jobs }
        do {
            return try SubmissionGrader(workbook: requireWorkbook(), options: options)
        } catch let error as GradingError {
            throw CommandError(message: strings.reports(error.message), code: .trouble)
        } catch let stop as CommandError {
            throw stop
        } catch {
            throw CommandError(message: "\(error)", code: .trouble)
        }
    }

    func submission(_ kata: Kata) throws(CommandError) -> Submission {
        let file = try requireWorkbook().learnerFile(kata.kata)
        return Submission(kata: kata, file: file, displayPath: typed(file))
    }

    // MARK: - LearnerProgress

    /// Remembers something, and says so where that cannot be done. `false` where the grader could not do its work; a file
    /// from a newer program is no such case: it is left alone, and grading goes on without it.
    ///
    /// - Parameter wasReported: the problem was reported before.
    func remember(wasReported: Bool = false, _ change: (inout LearnerProgress) -> Void) -> Bool {
        guard let store else { return true }
        do {
            if let kept = try store.update(change).damagedFileKeptAt {
                console.say(strings(.progressDamaged, .text(typed(kept))))
            }
            return true
        } catch {
            if !wasReported { console.say(strings.message(of: error, path: typed)) }
            if case .writtenByNewerProgram = error { return true }
            return false
        }
    }
}
