import Foundation
import Reports
import Storage
import Workbook

/// `grader kata new`: a small kata that works, to be changed into one's own.
struct KataNewCommand: Sendable {
    let context: CommandContext

    func run() throws -> ExitCode {
        let name = context.request.operands[0]
        guard NewKata.isName(name) else {
            throw CommandError(message: context.strings(.newName, .text(name)), code: .usage)
        }
        let workbook = try workbook()
        let katas: [Kata]
        func isThere(_ path: String) -> Bool {
            FileManager.default.fileExists(atPath: workbook.url.appendingPathComponent(path).path)
        }
        let isNew = !isThere("Exercises")
        do {
            katas = isNew ? [] : try workbook.katas()
        } catch {
            throw context.error(error)
        }
        let kata = NewKata(
            name: name, phase: context.request.phase ?? katas.last?.phase ?? 1,
            order: (katas.map(\.order).max() ?? 0) + 1, languages: workbook.languages ?? Language.allCases)
        for folder in [workbook.exercise(name), workbook.solution(name), workbook.suite(name)]
        where FileManager.default.fileExists(atPath: folder.path) {
            throw CommandError(message: context.strings(.newExists, .text(context.typed(folder))), code: .usage)
        }
        let template = try Self.template()
        var files = try kata.files(from: template)
        if isNew {
            let ofWorkbook = NewKata.workbookFiles(from: template).filter { !isThere($0.key) }
            files.merge(ofWorkbook) { own, _ in own }
        }
        // Before anything is written: where the grader has no sources to copy, nothing is begun.
        let support = files["Package.swift"] == nil ? [:] : try context.support(of: workbook)
        try context.write(files, into: workbook.url)
        try context.write(support.filter { !isThere("\(Handout.support)/\($0.key)") }, into: workbook.url)
        tell(kata, workbook, try addToPackage(kata, workbook))
        return .passed
    }

    /// The folder of `--in`, which need not be a workbook yet; else the workbook that is meant.
    private func workbook() throws(CommandError) -> WorkbookFolder {
        guard let path = context.request.parent else { return try context.requireWorkbook() }
        return WorkbookFolder(context.folder(path))
    }

    static func template() throws -> [String: String] {
        let folder = (Bundle.module.resourceURL ?? Bundle.module.bundleURL).appendingPathComponent("KataTemplate")
        let paths = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
        var template: [String: String] = [:]
        for path in paths where path.contains(".") {
            template[path] = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
        }
        return template
    }

    /// What became of the package's list of katas.
    private enum Manifest { case none, changed, unknown }

    private func addToPackage(_ kata: NewKata, _ workbook: WorkbookFolder) throws(CommandError) -> Manifest {
        let package = workbook.url.appendingPathComponent("Package.swift")
        guard let manifest = try? String(contentsOf: package, encoding: .utf8) else { return .none }
        guard let changed = kata.added(toManifest: manifest) else { return .unknown }
        try context.write(package) { try Data(changed.utf8).write(to: $0, options: .atomic) }
        return .changed
    }

    /// What is there, and what to do next.
    private func tell(_ kata: NewKata, _ workbook: WorkbookFolder, _ manifest: Manifest) {
        let strings = context.strings
        func path(_ url: URL) -> StringCatalog.Argument { .text(context.typed(url)) }
        let verify = context.commandLine(.kataVerify, kata.name, Option.watch.name, workbook: workbook)
        let check = context.commandLine(.check, kata.name, workbook: workbook)
        var steps = [
            strings(.newStepInterface, path(workbook.learnerFile(kata.name)), path(workbook.modelAnswer(kata.name))),
            strings(.newStepStub, path(workbook.learnerFile(kata.name)), path(workbook.shippedStub(kata.name))),
            strings(.newStepSuite, path(workbook.suite(kata.name)), path(workbook.manifest(kata.name))),
            strings(.newStepMutants, path(workbook.mutants(kata.name))),
            strings(.newStepTexts, path(workbook.exercise(kata.name))), strings(.newStepCheck, .text(check)),
        ]
        if manifest == .unknown { steps.insert(strings(.newStepManifest, .text(kata.name)), at: 0) }
        context.console.print(
            [strings(.newDone, .text(kata.name), path(workbook.url.appendingPathComponent("Exercises"))), ""]
                + steps.enumerated().map { "\($0.offset + 1). \($0.element)" }
                + ["", strings(.newVerify, .text(verify))])
    }
}
