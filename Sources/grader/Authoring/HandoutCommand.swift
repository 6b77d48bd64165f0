import Foundation
import Grading
import Reports
import Storage
import Workbook

/// `grader handout`: the part of a workbook that learners get.
struct HandoutCommand: Sendable {
    let context: CommandContext

    func run() throws -> ExitCode {
        let session = try WorkbookSession(context)
        let katas = try session.katasInOrder(named: context.request.katas)
        let folder = context.folder(context.request.operands[0])
        let present = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        guard present.isEmpty else {
            throw CommandError(message: context.strings(.handoutNotEmpty, .text(context.typed(folder))), code: .usage)
        }
        let items = try katas.map { try item($0, session) }
        let support = try context.support(of: session.workbook)
        let needsCombine = items.contains { item in
            !item.tests.isEmpty || SwiftText(item.stub).codeOnly.contains(/\bimport\s+Combine\b/)
        }
        let handout = Handout(
            items: items, readMe: readMe(items), bringsCombine: needsCombine && support["Combine"] != nil)
        try context.write(handout, into: folder, support)
        context.console.print(
            context.strings(.handoutDone, .integer(items.count), .text(context.typed(folder))),
            context.strings(.handoutGrade, .text(context.commandLine(.grade, Command.grade.operands.placeholder))))
        return .passed
    }

    private func item(_ kata: Kata, _ session: WorkbookSession) throws(CommandError) -> Handout.Item {
        let workbook = session.workbook
        let name = kata.kata
        var item = Handout.Item(kata: name, stub: try read(workbook.shippedStub(name)), briefs: [:])
        if let language = context.request.language {
            // One brief: the one that is read.
            item.briefs["README.md"] = workbook.brief(name, language)
        } else {
            for language in Language.allCases {
                let file = workbook.briefFile(name, language)
                item.briefs[file.lastPathComponent] = try? String(contentsOf: file, encoding: .utf8)
            }
        }
        guard context.request.withTests != nil else { return item }
        for file in WorkbookFolder.swiftFiles(in: workbook.suite(name)) {
            item.tests[file.lastPathComponent] = CoreSuite(kata: kata).text(of: try read(file))
        }
        return item
    }

    private func read(_ file: URL) throws(CommandError) -> String {
        guard let data = try? Data(contentsOf: file) else {
            throw CommandError(message: context.strings(.fileUnreadable, .text(context.typed(file))), code: .trouble)
        }
        return String(decoding: data, as: UTF8.self)
    }

    private func readMe(_ items: [Handout.Item]) -> String {
        let strings = context.strings
        var lines = ["# Katas", "", strings(.handoutWrite), ""]
        lines += items.map { "- [\($0.kata)](Exercises/\($0.kata)/README.md)" }
        lines += ["", strings(.handoutBuild), ""]
        if items.contains(where: { !$0.tests.isEmpty }) { lines += [strings(.handoutTest), ""] }
        return lines.joined(separator: "\n")
    }
}
