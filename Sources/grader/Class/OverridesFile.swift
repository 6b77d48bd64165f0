import Foundation
import Reports
import Workbook

/// `overrides.json` in the folder of a class's report.
struct OverridesFile {
    let session: WorkbookSession
    let folder: URL

    private var context: CommandContext { session.context }
    private var url: URL { folder.appendingPathComponent(Overrides.fileName) }

    /// What the file says; `nil` if there is no file yet.
    private func contents() throws(CommandError) -> Overrides? {
        guard let json = try context.report(file: url) else { return nil }
        do throws(JSONMistake) {
            return try Overrides(json, katas: session.katas.map(\.kata))
        } catch {
            throw context.error(error, in: url)
        }
    }

    /// Those of a report of what was graded in these folders: its own, and theirs for all other learners.
    func overrides(and folders: [URL] = []) throws(CommandError) -> Overrides {
        let own = try contents() ?? Overrides()
        var result = own
        var parts: [(overrides: Overrides, url: URL)] = []
        for folder in folders where folder != self.folder {
            let part = OverridesFile(session: session, folder: folder)
            guard let read = try part.contents() else { continue }
            if let other = parts.first(where: { $0.overrides.differs(from: read, besides: own) }) {
                throw context.error(other.url, differsFrom: part.url, for: url)
            }
            parts.append((read, part.url))
            result.add(read)
        }
        return result
    }

    /// Makes the file where there is none, so that it is found by who needs it. A person edits it, so it is never replaced.
    func write(_ overrides: Overrides) throws(CommandError) {
        guard try contents() == nil else { return }
        try context.write(url) { url in try Data(overrides.json.utf8).write(to: url, options: .atomic) }
    }
}
