import Foundation
import Storage
import Workbook

/// One learner's submission, opened: for each kata a file to grade, or why there is none.
struct OpenedSubmission: Sendable {
    struct Part: Sendable {
        enum Content: Sendable {
            /// The key of the decision, the digest of the bytes, the path in the submission.
            case file(key: String, digest: String, path: String, SourceFingerprints?)
            case notRun(Verdict.Outcome, LocalizableMessage, path: String?)
        }
        /// The kata's place in the class.
        var kata: Int
        var content: Content

        /// What is recorded of the kata: nothing where it could not be graded.
        func record(of kata: Kata, verdict: (_ key: String) -> Verdict?) -> KataRecord? {
            switch content {
            case .file(let key, let digest, let path, let fingerprints):
                verdict(key).map { KataRecord(digest: digest, path: path, fingerprints: fingerprints, verdict: $0) }
            case .notRun(let outcome, let message, let path):
                KataRecord(path: path, verdict: .notRun(kata, outcome, message, file: path ?? ""))
            }
        }
    }
    /// What is graded, and the key of its decision.
    struct File: Sendable {
        var key: String
        var submission: Submission
    }

    var learner: String
    var sources: [String]
    var identity: PlatformIdentity?
    var time: SubmissionTime?
    var problem: LocalizableMessage?
    var parts: [Part] = []
    var files: [File] = []
}

/// Opens submissions, one at a time.
struct SubmissionOpener: Sendable {
    let files: ClassFiles
    let katas: [Kata]
    /// The names of all katas of the workbook: that files of others are not graded needs no word.
    var known: [String] = []
    let reader: ArchiveReader
    /// The largest file that is read at all.
    let sourceBytes: Int
    /// What a verdict depends on in addition to the bytes, by kata.
    let fingerprints: [String: String]
    /// Where the files are kept for the report; `nil` without a report, for which they are compared.
    var code: SubmittedCode?

    func open(_ source: SubmissionSource) -> Task<OpenedSubmission, Never> {
        Task { await runBlocking { _ in opened(source) } }
    }

    private func opened(_ source: SubmissionSource) -> OpenedSubmission {
        var opened = OpenedSubmission(
            learner: source.learner, sources: source.sources, identity: source.identity, time: source.time,
            problem: source.problem)
        // What is no submission has no katas.
        if source.parts.isEmpty, source.problem != nil { return opened }
        let leftOut = source.leftOutMessage
        let tree = SubmissionTree(source, of: files, reader: reader)
        opened.problem = tree.problem
        var used: Set<String> = []
        var missing: [String] = []
        var newest: Int?
        for (index, kata) in katas.enumerated() {
            let name = "\(kata.kata).swift"
            func notRun(_ outcome: Verdict.Outcome, _ message: LocalizableMessage, path: String? = nil) {
                // The first thing that went wrong is what the learner's entry says.
                if outcome == .rejected { opened.problem = opened.problem ?? message }
                opened.parts.append(.init(kata: index, content: .notRun(outcome, message, path: path)))
            }
            func take(_ item: SubmittedItem, _ file: SourceFile) {
                let digest = SHA256.digest(of: file.bytes).hex
                let key = SHA256.digest(of: "\(kata.kata) \(digest) \(fingerprints[kata.kata] ?? "")").hex
                code?.keep(file.bytes, digest: digest)
                let prints = code.map { _ in SourceFingerprints(of: file.bytes) }
                opened.parts.append(
                    .init(kata: index, content: .file(key: key, digest: digest, path: item.path, prints)))
                // All learners' files have the same name in diagnostics, so that one verdict serves identical files.
                opened.files.append(
                    .init(key: key, submission: Submission(kata: kata, source: file, displayPath: name)))
            }
            switch KataFinder.find(kata.kata, in: tree.items) {
            case .missing:
                missing.append(kata.kata)
                if let problem = tree.problem {
                    notRun(.rejected, problem)
                } else if let leftOut, source.leftOut.contains(where: { $0 == name || $0.hasSuffix("/\(name)") }) {
                    notRun(.rejected, leftOut)
                } else {
                    notRun(.notStarted, LocalizableMessage(.kataNotSubmitted, name))
                }
            case .several(let items):
                used.formUnion(items.map(\.path))
                let contents = items.prefix(mostCopies).map { try? file(of: $0).get() }
                if items.count <= mostCopies, let first = contents[0], contents.allSatisfy({ $0 == first }) {
                    newest = ([newest] + items.map(\.modified)).compactMap(\.self).max()
                    take(items[0], first)
                } else {
                    notRun(.rejected, LocalizableMessage(.kataTwice, name, items[0].path, items[1].path))
                }
            case .notRegular(let path):
                used.insert(path)
                notRun(.rejected, LocalizableMessage(.fileNotRegular, path), path: path)
            case .file(let item):
                used.insert(item.path)
                newest = [newest, item.modified].compactMap(\.self).max()
                switch file(of: item) {
                case .failure(var rejection):
                    // The learner's own path, and not this machine's.
                    if rejection.message.key.isAboutFile {
                        rejection.message.arguments = [item.path]
                    }
                    notRun(.rejected, rejection.message, path: item.path)
                case .success(let file): take(item, file)
                }
            }
        }
        if source.filesHaveTimes, let newest, opened.time?.seconds == nil {
            opened.time = SubmissionTime(seconds: newest, isMarkedLate: opened.time?.isMarkedLate)
        }
        opened.problem = opened.problem ?? leftOut
        opened.problem = opened.problem ?? problem(tree, used: used, missing: missing)
        return opened
    }

    /// Files of one name are compared up to this number.
    private let mostCopies = 16

    /// What is said where everything that was found is graded, and something else was there or nothing was.
    private func problem(_ tree: SubmissionTree, used: Set<String>, missing: [String]) -> LocalizableMessage? {
        guard let name = (missing.first ?? katas.first?.kata).map({ "\($0).swift" }) else { return nil }
        let others = KataFinder.notUsed(in: tree.items, used: used, missing: missing, known: known + katas.map(\.kata))
        if others.isEmpty { return used.isEmpty ? LocalizableMessage(.submissionEmpty, name) : nil }
        return LocalizableMessage(used.isEmpty ? .noKataAmong : .filesNotUsed, String.shown(others), name)
    }

    private func file(of item: SubmittedItem) -> Result<SourceFile, Rejection> {
        Result { () throws(Rejection) in
            switch item.location {
            case .disk(let path): try SourceFile(reading: URL(fileURLWithPath: path), limit: sourceBytes)
            case .archive(let path, let format, let listing, let member):
                try SourceFile(
                    reader.read(member, of: listing, in: path, format, limit: sourceBytes, entry: item.path).get(),
                    limit: sourceBytes)
            }
        }
    }
}
