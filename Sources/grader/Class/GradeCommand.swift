import Foundation
import Grading
import Reports
import Workbook

/// `grader grade`: a folder of submissions becomes a report.
struct GradeCommand: Sendable {
    let seat: Seat

    func run() async throws -> ExitCode {
        let katas = try seat.chosenKatas(seat.request.katas)
        let folder = seat.folder(seat.request.operands[0])
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder), isFolder.boolValue else {
            throw Stop(sentence: seat.words(.noClassFolder, .text(seat.request.operands[0])), code: .trouble)
        }
        let report = seat.folder(seat.request.report ?? "")
        let seed = seat.request.seed ?? ClassGrading.seed(for: folder, report: report)
        let grader = try sandboxedGrader(seed: seed)
        let grading = ClassGrading(folder, report: report, katas: katas, shard: seat.request.shard, grader: grader)
        let progress = GradeProgress(seat)
        let work = Task { try await grading.run { await progress.tell($0) } }
        // What is being graded is decided before the program ends; whoever has no time for that asks twice.
        let signals = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if work.isCancelled { signal(number, SIG_DFL) }
                work.cancel()
            }
            source.resume()
            return source
        }
        defer { signals.forEach { $0.cancel() } }
        let result = await work.result
        await progress.end()
        let failures = try result.get(orStop: seat)
        try seat.writeReport(of: [report], into: report)
        for (learner, statement) in failures.sorted(by: { $0.key < $1.key }) {
            seat.console.say(
                seat.words(.gradeIncomplete, .text(seat.console.plain(learner)), .text(seat.words.reports(statement))))
        }
        return failures.isEmpty ? .passed : .trouble
    }

    private func sandboxedGrader(seed: UInt64) throws(Stop) -> SubmissionGrader {
        do {
            return try seat.grader(seed: seed, strangers: true)
        } catch {
            guard seat.request.sandboxed, (try? Sandbox.probe()) == nil else { throw error }
            throw Stop(sentence: error.sentence + "\n" + seat.words(.gradeSandbox), code: error.code)
        }
    }
}

extension Result where Failure == any Error {
    fileprivate func get(orStop seat: Seat) throws(Stop) -> Success {
        switch self {
        case .success(let value): return value
        case .failure(let error) where error is CancellationError:
            throw Stop(sentence: seat.words(.gradeInterrupted), code: .trouble)
        case .failure(let error): throw seat.stop(error)
        }
    }
}

/// `grader merge`: the reports of all shards become one.
struct MergeCommand: Sendable {
    let seat: Seat

    func run() throws -> ExitCode {
        let report = seat.folder(seat.request.report ?? "")
        try seat.writeReport(of: seat.request.operands.map(seat.folder), into: report)
        return .passed
    }
}

/// `grader check --submission`: one submission, told in the form that a platform's own runner reads.
struct SubmissionCommand: Sendable {
    let seat: Seat

    func run() async throws -> ExitCode {
        let katas = try seat.chosenKatas(seat.request.operands)
        let submission = seat.request.submission ?? ""
        guard FileManager.default.fileExists(atPath: seat.folder(submission).path) else {
            throw Stop(sentence: seat.words(.noSubmission, .text(submission)), code: .trouble)
        }
        let seed = seat.request.seed ?? UInt64.random(in: 1..<1 << 32)
        let grader = try seat.grader(seed: seed, strangers: true)
        let format = seat.request.formats.first.flatMap(SubmissionFormat.init) ?? .json
        do {
            let record = try await SingleLearnerGrading(seat.folder(submission), grader: grader).grade(katas)
            let text = try format.text(record, katas: katas, seed: seed, voice: seat.gradebookVoice(katas))
            seat.console.printVerbatim(text)
            if let problem = record.problem { seat.console.say(seat.words.reports(problem)) }
            return record.katas.allSatisfy(\.verdict.isPassed) && !record.katas.isEmpty ? .passed : .notPassed
        } catch {
            throw seat.stop(error)
        }
    }
}

extension Seat {
    /// A path as it was typed, from where the person stands.
    func folder(_ path: String) -> URL {
        URL(fileURLWithPath: path, relativeTo: workingFolder).absoluteURL.standardizedFileURL
    }

    /// The katas that are named, in the workbook's order; all of them where none is.
    func chosenKatas(_ names: [String]) throws(Stop) -> [Kata] {
        let all = try katas()
        guard !names.isEmpty else { return all }
        var chosen: Set<String> = []
        for name in names { chosen.insert(try kata(name, among: all).kata) }
        return all.filter { chosen.contains($0.kata) }
    }

    func gradebookVoice(_ katas: [Kata]) throws -> GradebookVoice {
        var texts: [String: KataTexts] = [:]
        for kata in katas { texts[kata.kata] = try self.texts(of: kata) }
        return try GradebookVoice(words: words.reports, gradebook: GradebookWords(language), texts: texts)
    }

    /// Writes one report of what was graded in these folders.
    func writeReport(of folders: [URL], into report: URL) throws(Stop) {
        do {
            try FileManager.default.createDirectory(at: report, withIntermediateDirectories: true)
            let formats = request.formats.compactMap(GradebookFolder.Format.init)
            var book: GradebookFolder?
            let open = { (header: ClassHeader) throws in
                book = try GradebookFolder(
                    report, header: header, voice: gradebookVoice(header.katas),
                    formats: formats.isEmpty ? Set(GradebookFolder.Format.allCases) : Set(formats))
            }
            let add = { (record: LearnerRecord) throws in try book?.add(record) ?? () }
            if folders == [report] {
                let reader = try ClassRecordFile.Reader(report)
                try open(reader.header)
                for record in reader { try add(record) }
            } else {
                try ClassRecordFile.merge(folders, each: add, header: open)
            }
            _ = try book?.finish()
        } catch {
            throw stop(error)
        }
        let page = report.appendingPathComponent("gradebook.html")
        let shown =
            FileManager.default.fileExists(atPath: page.path) ? page : report.appendingPathComponent("gradebook.json")
        console.print(words(.gradeDone, .text(shown.path)))
    }

    /// What an error comes to, in the person's language.
    func stop(_ error: any Error) -> Stop {
        switch error {
        case let stop as Stop: stop
        case let error as GradingError: Stop(sentence: words.reports(error.statement), code: .trouble)
        default: Stop(sentence: error.localizedDescription, code: .trouble)
        }
    }
}
