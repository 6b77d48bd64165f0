import Foundation
import Reports
import Storage
import Workbook

/// `policy.json` in the folder of a class's report.
struct PolicyFile {
    let session: WorkbookSession
    let folder: URL

    private var context: CommandContext { session.context }
    private var url: URL { folder.appendingPathComponent(GradingPolicy.fileName) }

    /// What the file says; `nil` if there is no file yet.
    private func contents() throws(CommandError) -> GradingPolicy? {
        let katas = session.katas.map(\.kata)
        return try context.report(file: url) { json throws(JSONMistake) in try GradingPolicy(json, katas: katas) }
    }

    /// The policy of a report of what was graded in these folders: its own, else theirs, with what the command line says.
    func policy(or folders: [URL] = []) throws(CommandError) -> GradingPolicy {
        var policy = try contents()
        if policy == nil {
            var first: (policy: GradingPolicy, file: PolicyFile)?
            for folder in folders where folder != self.folder {
                let file = PolicyFile(session: session, folder: folder)
                guard let read = try file.contents() else { continue }
                if let first, first.policy != read {
                    throw context.error(first.file.url, differsFrom: file.url, for: url)
                }
                first = first ?? (read, file)
            }
            policy = first?.policy
        }
        var result = policy ?? GradingPolicy(katas: session.katas)
        if let deadline = context.request.deadline { result.deadline = deadline }
        if let release = context.request.release { result.release = release }
        return result
    }

    /// Leaves a file alone that says this already: a person may have written it in their own way.
    func write(_ policy: GradingPolicy) throws(CommandError) {
        guard try contents() != policy else { return }
        try context.write(url) { url in
            try Data(policy.json(katas: session.katas.map(\.kata)).utf8).write(to: url, options: .atomic)
        }
    }
}
