import Foundation
import Grading
import Reports
import Workbook

/// `grader interview`: a timed practice session, begun or resumed.
struct InterviewCommand: Sendable {
    let seat: Seat
    let environment: [String: String]

    static let minutes = 45
    static let count = 2

    func run() async throws -> ExitCode {
        guard seat.console.canWatch else {
            throw Stop(sentence: seat.words(.interviewNeedsTerminal), code: .usage)
        }
        let clock = SessionClock(environment: environment)
        return try await (seat.request.resumes ? resumed(clock) : begun(clock)).run()
    }

    // MARK: - A new session

    private func begun(_ clock: SessionClock) async throws -> InterviewSession {
        let workbook = try seat.requireWorkbook()
        let request = seat.request
        let seed = request.seed ?? UInt64.random(in: 1..<1 << 32)
        let katas = try katas(seed: seed)
        for kata in katas where (try? Data(contentsOf: workbook.shippedStub(kata.kata))) == nil {
            let stub = seat.typed(workbook.shippedStub(kata.kata))
            throw Stop(sentence: seat.words(.stubMissing, .text(stub)), code: .trouble)
        }
        let grader = try seat.grader(seed: seed)
        let plan = InterviewPlan(
            candidate: request.candidate ?? NSUserName(), language: seat.language, katas: katas,
            minutes: request.minutes ?? Self.minutes, hints: request.hints, seed: seed,
            versions: .init(grader: Grader.version, swift: await grader.swiftVersion()))
        do {
            let folder = try InterviewFolder.create(for: plan, in: workbook, at: clock.read().time)
            let journal = try InterviewJournal(folder.journal)
            return try await InterviewSession(
                seat, folder, plan, found: nil, journal: journal, grader: grader, clock: clock)
        } catch let error where !(error is Stop) {
            let reason = seat.words.reason(SystemFailure(error))
            let place = seat.typed(InterviewFolder.all(in: workbook))
            throw Stop(
                sentence: try InterviewWords(seat.language)(.cannotBegin, .text(place), .text(reason)), code: .trouble)
        }
    }

    /// Those that are named, in that order; else as many as are wanted, in the workbook's order.
    private func katas(seed: UInt64) throws -> [Kata] {
        let all = try seat.katas()
        let names = seat.request.katas
        guard names.isEmpty else { return try names.map { try seat.kata($0, among: all) }.unique(by: \.kata) }
        let wanted = seat.request.count ?? min(Self.count, all.count)
        guard !all.isEmpty, wanted <= all.count else {
            throw Stop(
                sentence: try InterviewWords(seat.language)(.tooFewKatas, .integer(all.count)), code: .usage)
        }
        return Self.pick(wanted, of: all, seed: seed)
    }

    /// The same katas for the same seed, on every machine; each as likely as the others.
    static func pick(_ count: Int, of katas: [Kata], seed: UInt64) -> [Kata] {
        let drawn = katas.sorted {
            SHA256.digest(of: "\(seed) \($0.kata)").hex < SHA256.digest(of: "\(seed) \($1.kata)").hex
        }
        let chosen = Set(drawn.prefix(count).map(\.kata))
        return katas.filter { chosen.contains($0.kata) }
    }

    // MARK: - One that goes on

    private func resumed(_ clock: SessionClock) async throws -> InterviewSession {
        let workbook = try seat.requireWorkbook()
        let words = try InterviewWords(seat.language)
        let named = seat.request.operands.first.map { InterviewFolder(seat.folder($0)) }
        guard let folder = named ?? InterviewFolder.newestOpen(in: workbook) else {
            let place = seat.typed(InterviewFolder.all(in: workbook))
            let begin = "\(seat.program) \(Command.interview.rawValue)"
            throw Stop(sentence: words(.noneOpen, .text(place), .text(begin)), code: .trouble)
        }
        let path = seat.typed(folder.url)
        do {
            // A folder that is no session's is left as it is.
            _ = try folder.load()
            let journal = try InterviewJournal(folder.journal)
            let found = try folder.contents(journal.found)
            if found.record.end != nil, found.record.saves.allSatisfy({ $0.verdict != nil }) {
                let report = "\(seat.program) \(Command.interviewReport.rawValue) \(path)"
                throw Stop(sentence: words(.isOver, .text(path), .text(report)), code: .usage)
            }
            if let trouble = found.trouble { seat.console.say(seat.words.reports(trouble)) }
            let grader = try seat.grader(seed: found.record.plan.seed)
            return try await InterviewSession(
                seat, folder, found.record.plan, found: found, journal: journal, grader: grader, clock: clock)
        } catch DurableLines.Problem.busy {
            throw Stop(sentence: words(.busy, .text(path)), code: .trouble)
        } catch DurableLines.Problem.unusable(let file, let code) {
            let statement = Statement(.folderNotWritable, file, seat.words.reason(SystemFailure(code)))
            throw Stop(sentence: seat.words.reports(statement), code: .trouble)
        } catch let error as WorkbookError {
            throw Stop(sentence: seat.words.reports(error.statement), code: .trouble)
        }
    }
}
