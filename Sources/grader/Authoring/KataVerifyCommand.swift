import Foundation
import Grading
import Reports
import Storage
import Workbook

/// `grader kata verify`: whether katas are true, and what is to be done where they are not.
struct KataVerifyCommand: Sendable {
    let context: CommandContext

    func run() async throws -> ExitCode {
        guard context.request.watches else { return try await verify() }
        try await watch()
        return .passed
    }

    private func verify() async throws -> ExitCode {
        let session = try WorkbookSession(context)
        let katas = try session.katas(named: context.request.operands)
        var report = VerifyReport(language: context.language)
        let bar = BuildBar(context, .verifyProgress)
        do {
            let verification = try KataVerification(workbook: session.workbook, options: options(session))
            var ofWorkbook = Dictionary(grouping: try verification.shortcomingsOfWorkbook(), by: \.kata)
            for kata in katas {
                var verified = try await verification.verify(kata) { bar.show(kata, $0) }
                if Task.isCancelled { throw CancellationError() }
                verified.shortcomings.insert(contentsOf: ofWorkbook.removeValue(forKey: kata.kata) ?? [], at: 0)
                add(
                    VerifyReport.KataReport(
                        kata: kata.kata, gradings: verified.gradings, seconds: (verified.seconds * 10).rounded() / 10,
                        shortcomings: verified.shortcomings.map(told)),
                    to: &report)
            }
            // What is wrong with a folder that is no kata is reported when all katas are asked for.
            for (folder, shortcomings) in ofWorkbook.sorted(by: { $0.key < $1.key })
            where context.request.operands.isEmpty {
                add(
                    VerifyReport.KataReport(
                        kata: folder, gradings: 0, seconds: 0, shortcomings: shortcomings.map(told)),
                    to: &report)
            }
        } catch {
            throw context.error(error)
        }
        if context.request.json { context.console.printVerbatim(JSONText.of(report)) }
        return report.holds ? .passed : .notPassed
    }

    private func options(_ session: WorkbookSession) throws(CommandError) -> KataVerification.Options {
        var options = KataVerification.Options()
        options.runs = context.request.runs ?? options.runs
        options.grading.seed = context.request.seed ?? options.grading.seed
        options.grading.usesCache = context.request.usesCache
        options.grading.sandbox = context.request.sandboxed ? .whenAvailable : .none
        options.grading.engine = try session.engine()
        options.grading.onBuildProgress = BuildBar(context).show
        return options
    }

    private func told(_ shortcoming: Shortcoming) -> VerifyReport.ShortcomingReport {
        let strings = context.strings.reports
        return VerifyReport.ShortcomingReport(
            rule: shortcoming.message.key.rawValue, message: strings(shortcoming.message),
            details: shortcoming.details.map { strings($0) })
    }

    /// Each kata is reported as soon as it is verified.
    private func add(_ kata: VerifyReport.KataReport, to report: inout VerifyReport) {
        report.katas.append(kata)
        guard !context.request.json else { return }
        let style = context.style
        guard !kata.holds else {
            let seconds = context.strings.numbers.seconds(kata.seconds)
            let sentence = context.strings(.verifyHolds, .text(kata.kata), .integer(kata.gradings), .text(seconds))
            return context.console.print("\(style.good) \(sentence)")
        }
        let sentence = context.strings(.verifyDoesNotHold, .text(kata.kata), .integer(kata.shortcomings.count))
        var lines = ["\(style.bad) \(sentence)"]
        for shortcoming in kata.shortcomings {
            lines.append("  - " + shortcoming.message)
            lines += shortcoming.details.flatMap(TextStyle.lines(of:)).map { style.dim("      " + $0) }
        }
        context.console.print(lines)
    }

    // MARK: - On each save

    /// Verifies again whenever a file of the katas has changed, until the program is ended.
    private func watch() async throws {
        let (changes, tell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        var seen = try files()
        var fileWatch = watchFiles(seen, tell)
        // A file may have been saved before anybody looked out for that.
        tell.yield()
        var verifying = start()
        for await _ in changes {
            // An editor touches files in many ways; a save is a text that is another one.
            let now = try files()
            guard now != seen else { continue }
            seen = now
            verifying.cancel()
            await verifying.value
            fileWatch = watchFiles(seen, tell)
            verifying = start()
        }
        withExtendedLifetime(fileWatch) {}
    }

    private func start() -> Task<Void, Never> {
        Task {
            do {
                _ = try await verify()
            } catch {
                if Task.isCancelled { return }
                context.console.say(TextStyle.harmless(context.error(error).message))
            }
            if !Task.isCancelled { context.console.say(context.style.dim(context.strings(.verifyWatching))) }
        }
    }

    private func watchFiles(_ files: [URL: Data], _ tell: AsyncStream<Void>.Continuation) -> FileWatch {
        FileWatch(Array(Set(files.keys.map { $0.deletingLastPathComponent() }))) { tell.yield() }
    }

    /// What the files of the katas hold now.
    private func files() throws -> [URL: Data] {
        let workbook = try context.requireWorkbook()
        let katas = try? WorkbookSession(context).katas(named: context.request.operands).map(\.kata)
        // If the katas cannot be read, any folder may be the one that is mended.
        let folders = try? FileManager.default.contentsOfDirectory(
            atPath: workbook.url.appendingPathComponent("Exercises").path)
        let names = katas ?? folders ?? []
        var files: [URL: Data] = [:]
        for folder in names.flatMap({ [workbook.exercise($0), workbook.solution($0), workbook.suite($0)] }) {
            for case let file as URL in FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
                ?? .init()
            {
                if let data = try? Data(contentsOf: file) { files[file] = data }
            }
        }
        return files
    }
}
