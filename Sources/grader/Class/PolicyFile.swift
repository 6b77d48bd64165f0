import Foundation
import Reports
import Storage
import Workbook

/// `policy.json` in the folder of a class's report, or the one of a single submission.
struct PolicyFile {
    private let session: WorkbookSession
    private let url: URL

    private var context: CommandContext { session.context }

    init(session: WorkbookSession, folder: URL) {
        self.session = session
        url = folder.appendingPathComponent(GradingPolicy.fileName)
    }

    /// The policy of `check --submission`: that of the file that was named, with what the command line says.
    static func ofSubmission(_ session: WorkbookSession) throws(CommandError) -> GradingPolicy {
        let context = session.context
        guard let path = context.request.policy else {
            return context.asked(GradingPolicy(katas: session.katas))
        }
        let file = PolicyFile(session: session, file: context.folder(path))
        guard let policy = try file.contents() else {
            throw CommandError(message: context.strings(.noPolicy, .text(path)), code: .usage)
        }
        return context.asked(policy)
    }

    private init(session: WorkbookSession, file: URL) {
        self.session = session
        url = file
    }

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
            for folder in folders {
                let file = PolicyFile(session: session, folder: folder)
                guard file.url != url, let read = try file.contents() else { continue }
                if let first, first.policy != read {
                    throw context.error(first.file.url, differsFrom: file.url, for: url)
                }
                first = first ?? (read, file)
            }
            policy = first?.policy
        }
        return context.asked(policy ?? GradingPolicy(katas: session.katas))
    }

    /// Leaves a file alone that says this already: a person may have written it in their own way.
    func write(_ policy: GradingPolicy) throws(CommandError) {
        guard try contents() != policy else { return }
        try context.write(url) { url in
            try Data(policy.json(katas: session.katas.map(\.kata)).utf8).write(to: url, options: .atomic)
        }
    }
}

extension CommandContext {
    /// The policy with what the command line says.
    fileprivate func asked(_ policy: GradingPolicy) -> GradingPolicy {
        var result = policy
        if let deadline = request.deadline { result.deadline = deadline }
        if let release = request.release { result.release = release }
        return result
    }
}
