import Foundation
import Storage
import Workbook

/// Grades a folder or an archive of submissions: each different submission once, and nothing twice, however often it is begun again.
public struct ClassGrading: Sendable {
    /// What happened, for progress reports.
    public enum Event: Sendable, Equatable {
        /// The names of the learners that are graded.
        case found([String])
        /// A submission was decided, or had been by an earlier run.
        case decided(isNew: Bool)
        /// A learner is done.
        case done(LearnerRecord)
    }

    private let folder: URL
    private let report: URL
    private let katas: [Kata]
    private let shard: Shard?
    private let grader: SubmissionGrader
    private let budget: LearnerBudget

    public init(
        _ folder: URL, report: URL, katas: [Kata], shard: Shard?, grader: SubmissionGrader,
        budget: LearnerBudget = LearnerBudget()
    ) {
        self.budget = budget
        self.folder = folder.standardizedFileURL
        self.report = report.standardizedFileURL
        self.katas = katas
        self.shard = shard
        self.grader = grader
    }

    /// The seed of a class where none is asked for: the one that its report was begun with, else one that follows from
    /// who is in the class, so that every shard has the same and no learner knows it.
    public static func seed(for folder: URL, report: URL) -> UInt64 {
        let kept = try? String(contentsOf: journalFolder(report).appendingPathComponent("seed"), encoding: .utf8)
        if let seed = kept.flatMap({ UInt64($0.trimmingCharacters(in: .whitespacesAndNewlines)) }) { return seed }
        let folder = folder.standardizedFileURL
        var names = entries(of: ClassFiles(folder), report: report.standardizedFileURL).map(\.name)
        if isArchive(folder) {
            let size = (try? FileManager.default.attributesOfItem(atPath: folder.path)[.size] as? Int) ?? 0
            names = ["\(folder.lastPathComponent) \(size)"]
        }
        let digest = SHA256.digest(of: names.sorted().joined(separator: "\n"))
        // JSON's readers have 53 bits for a whole number.
        return digest.bytes.prefix(4).reduce(1 as UInt64) { $0 << 8 | UInt64($1) }
    }

    /// Whether this is a class in one archive.
    public static func isArchive(_ file: URL) -> Bool {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder) else { return false }
        return !isFolder.boolValue && ArchiveFormat(fileName: file.lastPathComponent) != nil
    }

    /// The files of the class, which are unpacked where they come in an archive.
    private func openedClass(_ scratch: URL) throws -> ClassFiles {
        guard Self.isArchive(folder), let format = ArchiveFormat(fileName: folder.lastPathComponent) else {
            return ClassFiles(folder)
        }
        let place = scratch.appendingPathComponent("class")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let reader = ArchiveReader(sandbox: grader.sandbox, limits: .wholeClass)
        var files = ClassFiles(try reader.unpack(folder, format, into: place))
        // An archive of a folder has that folder in it.
        while let inner = below(files) { files = files.inner(inner) }
        return files
    }

    private func checkLevel() throws {
        guard let inner = below(ClassFiles(folder)) else { return }
        throw GradingError(.classBelow, folder.path, folder.appendingPathComponent(inner).path)
    }

    private func below(_ files: ClassFiles) -> String? {
        ClassLevel.below(files, entries: Self.entries(of: files, report: report), katas: katas.map(\.kata))
    }

    /// Grades what is not decided yet, and writes the record when everything is.
    ///
    /// Cancelling the task ends it once what is being graded is decided, and throws `CancellationError`.
    ///
    /// - Returns: why submissions could not be graded, by learner; empty where all were.
    public func run(each tell: (Event) async -> Void) async throws -> [String: LocalizableMessage] {
        if !Self.isArchive(folder) {
            guard access(folder.path, R_OK | X_OK) == 0, opendir(folder.path).map({ closedir($0) }) == 0 else {
                throw GradingError(.noClassFolder, folder.path, errorText(errno))
            }
            try checkLevel()
        }
        let journal = try DecisionJournal(Self.journalFolder(report))
        let scratch = Self.journalFolder(report).appendingPathComponent("scratch")
        try? FileManager.default.removeItem(at: scratch)
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        try Data("\(grader.options.seed)\n".utf8).write(
            to: Self.journalFolder(report).appendingPathComponent("seed"), options: .atomic)
        let fingerprints = try await fingerprints()
        let files = try openedClass(scratch)
        try KeptTables(of: [report]).keep(files)
        let sources = try sources(of: files)
        await tell(.found(sources.map(\.learner)))
        let opener = SubmissionOpener(
            files: files, katas: katas, known: grader.workbook.kataNames,
            reader: ArchiveReader(sandbox: grader.sandbox),
            sourceBytes: grader.options.limits.sourceBytes, fingerprints: fingerprints,
            code: SubmittedCode(of: [report]))
        var progress = ClassProgress(journal: journal, katas: katas, budget: budget)
        try await withThrowingTaskGroup(of: Graded.self) { group in
            var waiting = sources.makeIterator()
            let jobs = max(1, grader.options.jobs)
            // The next learners are opened while the last ones' submissions are graded.
            var openings: [Task<OpenedSubmission, Never>] = []
            var queue: [OpenedSubmission.File] = []
            var running = 0
            var failuresInARow = 0
            while true {
                while running < jobs {
                    try Task.checkCancellation()
                    while openings.count <= jobs, let next = waiting.next() {
                        openings.append(opener.open(next))
                    }
                    if queue.isEmpty {
                        guard !openings.isEmpty else { break }
                        queue = progress.take(await openings.removeFirst().value)
                        for event in progress.settled() { await tell(event) }
                    } else {
                        let file = queue.removeFirst()
                        guard progress.hasTime(for: file.key) else {
                            progress.finish(file.key)
                            for event in progress.settled() { await tell(event) }
                            continue
                        }
                        running += 1
                        group.addTask { [grader] in await Self.grade(file, grader) }
                    }
                }
                guard running > 0, let graded = try await group.next() else { break }
                running -= 1
                switch graded.result {
                case .success(let verdict):
                    failuresInARow = 0
                    try journal.keep(verdict, for: graded.key)
                    await tell(.decided(isNew: true))
                case .failure(let error):
                    // A grading that was stopped because its result is no longer needed has no verdict.
                    try Task.checkCancellation()
                    // One submission may be beyond the grader; if everything is, going on is of no use. A machine that is
                    // full has room again when another submission has ended.
                    if !error.isShortage { failuresInARow += 1 }
                    if failuresInARow == 5 { throw error }
                    progress.fail(graded.key, error.message)
                }
                progress.finish(graded.key)
                for event in progress.settled() { await tell(event) }
            }
        }
        try await write(progress)
        return progress.failuresByLearner
    }

    /// What verdicts on each kata follow from. Suites that are not in the cache are compiled here, as many at once as jobs.
    private func fingerprints() async throws -> [String: String] {
        var fingerprints: [String: String] = [:]
        try await forEachConcurrently(katas, limit: grader.options.jobs) { [grader] kata in
            await asyncResult { () async throws(GradingError) in try await grader.fingerprint(of: kata) }
        } each: { kata, result in
            fingerprints[kata.kata] = try result.get()
        }
        return fingerprints
    }

    private struct Graded: Sendable {
        var key: String
        var result: Result<Verdict, GradingError>
    }

    private static func grade(_ file: OpenedSubmission.File, _ grader: SubmissionGrader) async -> Graded {
        do throws(GradingError) {
            var verdict = try await grader.grade(file.submission)
            // The end of a batch job signals all of its processes, and a compiler that was killed says nothing about
            // the submission: what the machine may have caused is believed when it comes a second time. A limit of the
            // compiler's is long enough to be believed at once.
            if !verdict.isSettled || verdict.hasCrash, !verdict.hitsCompileLimit {
                let first = verdict.seconds
                verdict = try await grader.grade(file.submission)
                verdict.seconds += first
            }
            if Task.isCancelled { throw GradingError(.abandoned, file.submission.kata.kata) }
            return Graded(key: file.key, result: .success(verdict))
        } catch {
            return Graded(key: file.key, result: .failure(error))
        }
    }

    private func sources(of files: ClassFiles) throws(GradingError) -> [SubmissionSource] {
        let entries = Self.entries(of: files, report: report)
        let metadata = URL(fileURLWithPath: files.place(of: ClassFolder.gradescopeMetadata))
        let gradescope = try? SourceFile(reading: metadata, limit: 16 << 20).text
        let clones = entries.map(\.name).filter { name in
            FileManager.default.fileExists(atPath: files.place(of: "\(name)/.git"))
        }
        let repositories = GitHubClassroom(repositories: clones, in: (files.root as NSString).lastPathComponent)
        let all = ClassFolder.sources(
            of: entries, gradescope: gradescope, repositories: repositories, leftOut: files.leftOut)
        if all.isEmpty { throw GradingError(.noSubmissions, folder.path) }
        return shard.map { shard in all.filter { shard.contains(learner: $0.learner) } } ?? all
    }

    /// The report may lie within the class's folder; it is not a submission.
    private static func entries(of files: ClassFiles, report: URL) -> [FolderEntry] {
        files.entries().filter { files.place(of: $0.name) != report.path }
    }

    private static func journalFolder(_ report: URL) -> URL { report.appendingPathComponent(".journal") }

    private func write(_ progress: ClassProgress) async throws {
        let versions = ClassHeader.Versions(
            swift: await grader.swiftVersion(), suites: SuiteDigest.of(katas, in: grader.workbook))
        let header = ClassHeader(seed: grader.options.seed, versions: versions, shard: shard, katas: katas)
        let writer = try ClassRecordFile.Writer(report, header)
        var digests: Set<String> = []
        for learner in progress.learners {
            let record = progress.record(learner)
            digests.formUnion(record.katas.compactMap(\.digest))
            try writer.add(record)
        }
        try writer.finish()
        SubmittedCode(of: [report]).keepOnly(digests)
    }
}

extension Verdict {
    /// Whether compiling the submission, or looking through it, was ended by a limit.
    fileprivate var hitsCompileLimit: Bool {
        let limits: [LocalizableMessage.Key] = [.compileTimedOut, .compileOutOfMemory, .readingTimedOut]
        return diagnostics.contains { limits.contains($0.message.key) }
    }

    /// Whether a signal ended a test.
    fileprivate var hasCrash: Bool { tests.contains { $0.messages.contains { $0.key == .crashed } } }
}

/// What the suites and their manifests are, told alike on every machine.
enum SuiteDigest {
    static func of(_ katas: [Kata], in workbook: WorkbookFolder) -> String {
        var hash = SHA256()
        for kata in katas {
            let suite = workbook.suite(kata.kata)
            let manifest = workbook.exercise(kata.kata).appendingPathComponent("kata.json").path
            let sources = FolderEntry.all(in: suite.path).filter { $0.kind == .file }.map { "\(suite.path)/\($0.name)" }
            for path in [manifest] + sources {
                let data = FileManager.default.contents(atPath: path) ?? Data()
                hash.update("\(kata.kata) \((path as NSString).lastPathComponent) \(data.count)\n".utf8)
                hash.update(data)
            }
        }
        return hash.finalize().hex
    }
}
