import Foundation
import Reports
import Storage
import Workbook

/// `overrides.json` in the folder of a class's report.
struct OverridesFile {
    let session: WorkbookSession
    let folder: URL

    private var context: CommandContext { session.context }
    private var url: URL { folder.appendingPathComponent(Overrides.fileName) }

    /// What the file says; `nil` if there is no file yet.
    private func contents() throws(CommandError) -> Overrides? {
        let katas = session.katas.map(\.kata)
        return try context.report(file: url) { json throws(JSONMistake) in try Overrides(json, katas: katas) }
    }

    /// Those of a report of what was graded in these folders: its own, and theirs for all other learners.
    func overrides(and folders: [URL] = []) throws(CommandError) -> Overrides {
        var result = try contents() ?? Overrides()
        for folder in folders where folder != self.folder {
            if let part = try OverridesFile(session: session, folder: folder).contents() { result.add(part) }
        }
        return result
    }

    /// Several entries are about one learner: a person has to say which one counts.
    func error(_ contradiction: Overrides.Contradiction) -> CommandError {
        let names = contradiction.names.map { "`\(context.console.plain($0))`" }
        return CommandError(
            message: context.strings(.overridesTwice, .text(context.typed(url)), .list(names)), code: .trouble)
    }

    /// Makes the file where there is none, so that it is found by who needs it. A person edits it, so it is never replaced.
    func write(_ overrides: Overrides) throws(CommandError) {
        guard try contents() == nil else { return }
        try context.write(url) { url in
            // It has names and reasons.
            try Descriptor.replace(url, with: Data(overrides.json.utf8), mode: 0o600)
        }
    }
}
