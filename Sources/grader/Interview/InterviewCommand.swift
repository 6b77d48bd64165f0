import Foundation
import Grading
import Reports
import Storage
import Workbook

/// `grader interview`: a timed interview, begun or resumed.
struct InterviewCommand: Sendable {
    let context: CommandContext

    static let minutes = 45
    static let count = 2

    func run() async throws -> ExitCode {
        guard context.console.canWatch else {
            throw CommandError(message: context.strings(.interviewNeedsTerminal), code: .usage)
        }
        let clock = SessionClock(environment: context.environment)
        return try await (context.request.resumes ? resumed(clock) : begun(clock)).run()
    }

    // MARK: - A new session

    private func begun(_ clock: SessionClock) async throws -> InterviewSession {
        let request = context.request
        let seed = request.seed ?? UInt64.random(in: 1..<1 << 32)
        let session = try WorkbookSession(context, seed: seed, onBuildProgress: { _, _ in })
        let workbook = session.workbook
        let katas = try katas(session, seed: seed)
        for kata in katas where (try? Data(contentsOf: workbook.shippedStub(kata.kata))) == nil {
            let stub = context.typed(workbook.shippedStub(kata.kata))
            throw CommandError(message: context.strings(.stubMissing, .text(stub)), code: .trouble)
        }
        let plan = InterviewPlan(
            candidate: request.candidate ?? NSUserName(), language: context.language, katas: katas,
            minutes: request.minutes ?? Self.minutes, hints: request.hints, seed: seed,
            versions: .init(grader: ProgramName.version, swift: try await session.grader().swiftVersion()),
            pauseMinutes: request.pauseMinutes)
        let parent = request.parent.map(context.folder)
        do {
            let folder = try InterviewFolder.create(for: plan, in: workbook, under: parent, at: clock.read().time)
            try makePackage(in: folder, plan, session)
            let journal = try InterviewJournal(folder.journal)
            return try await InterviewSession(
                session, folder, plan, found: nil, journal: journal, clock: clock)
        } catch let error where !(error is CommandError) {
            let reason = context.strings.reason(SystemFailure(error))
            let place = context.typed(parent ?? InterviewFolder.all(in: workbook))
            throw CommandError(
                message: try InterviewStrings(context.language)(.cannotBegin, .text(place), .text(reason)),
                code: .trouble)
        }
    }

    /// Makes the folder a package, so that an editor completes what the candidate types.
    private func makePackage(in folder: InterviewFolder, _ plan: InterviewPlan, _ session: WorkbookSession) throws {
        let items = try plan.katas.map { kata in
            let stub = try Data(contentsOf: session.workbook.shippedStub(kata.kata))
            return Handout.Item(
                kata: kata.kata, stub: String(decoding: stub, as: UTF8.self),
                briefs: ["README.md": session.workbook.briefWithoutNext(kata.kata, plan.language)])
        }
        let strings = try InterviewStrings(plan.language)
        let title = plan.katas.map(\.kata).joined(separator: ", ")
        let support = try context.support(of: session.workbook)
        // An answer may import Combine where the stub does not.
        let handout = Handout(
            items: items, readMe: "# \(title)\n\n\(strings(.readMe))\n", bringsCombine: support["Combine"] != nil)
        try context.write(handout, into: folder.url, support, isFilled: true)
    }

    /// Those that are named, in that order; else as many as are wanted, in the workbook's order.
    private func katas(_ session: WorkbookSession, seed: UInt64) throws -> [Kata] {
        let all = session.katas.filter { !$0.warmUp }
        let names = context.request.katas
        guard names.isEmpty else { return try session.katas(named: names) }
        let wanted = context.request.count ?? min(Self.count, all.count)
        guard !all.isEmpty, wanted <= all.count else {
            throw CommandError(
                message: try InterviewStrings(context.language)(.tooFewKatas, .integer(all.count)), code: .usage)
        }
        return Self.pick(wanted, of: all, seed: seed)
    }

    /// The same katas for the same seed, on every machine: of different strands, as far as there are enough, and together of
    /// middle difficulty, so that sessions can be compared.
    static func pick(_ count: Int, of katas: [Kata], seed: UInt64) -> [Kata] {
        var drawn = katas.sorted {
            SHA256.digest(of: "\(seed) \($0.kata)").hex < SHA256.digest(of: "\(seed) \($1.kata)").hex
        }
        var chosen: [Kata] = []
        while chosen.count < count, !drawn.isEmpty {
            let (before, sum) = (chosen, chosen.reduce(0) { $0 + $1.difficulty })
            func rank(_ kata: Kata) -> (Int, Int) {
                let middle = (Kata.hardest + 1) * (before.count + 1)
                return (before.count { $0.isBeside(kata) }, abs(2 * (sum + kata.difficulty) - middle))
            }
            // The first is drawn freely; those after it make up for its difficulty. Of equal ones the first that was drawn.
            let next =
                before.isEmpty ? 0 : drawn.indices.min { rank(drawn[$0]) < rank(drawn[$1]) } ?? 0
            chosen.append(drawn.remove(at: next))
        }
        let names = Set(chosen.map(\.kata))
        return katas.filter { names.contains($0.kata) }
    }

    // MARK: - One that goes on

    private func resumed(_ clock: SessionClock) async throws -> InterviewSession {
        let workbook = try context.requireWorkbook()
        let strings = try InterviewStrings(context.language)
        let named = context.request.operands.first.map { InterviewFolder(context.folder($0)) }
        let parent = context.request.parent.map(context.folder)
        let places = parent.map { [$0] } ?? InterviewFolder.places(of: workbook)
        guard let folder = named ?? InterviewFolder.newestOpen(in: places) else {
            let place = context.typed(places[0])
            let begin = context.commandLine(.interview)
            throw CommandError(message: strings(.noneOpen, .text(place), .text(begin)), code: .trouble)
        }
        let path = context.typed(folder.url)
        if folder.isUnbegun {
            let begin = context.commandLine(.interview)
            throw CommandError(message: strings(.isUnbegun, .text(path), .text(begin)), code: .usage)
        }
        do {
            // A folder that is no session's is left as it is.
            _ = try folder.load()
            let journal = try InterviewJournal(folder.journal)
            let found = try folder.contents(journal.found)
            if found.record.end != nil, found.record.saves.allSatisfy({ $0.verdict != nil }) {
                let report = context.commandLine(.interviewReport, path)
                throw CommandError(message: strings(.isOver, .text(path), .text(report)), code: .usage)
            }
            journal.goOn(after: found.record.entries ?? 0)
            if let trouble = found.trouble { context.console.say(context.strings.reports(trouble)) }
            let session = try WorkbookSession(
                context, seed: found.record.plan.seed, onBuildProgress: { _, _ in })
            // A machine that cannot grade is reported before the screen is taken.
            _ = try session.grader()
            return try await InterviewSession(
                session, folder, found.record.plan, found: found, journal: journal, clock: clock)
        } catch AppendOnlyLog.Problem.busy {
            throw CommandError(message: strings(.busy, .text(path)), code: .trouble)
        } catch AppendOnlyLog.Problem.unusable(let file, let failure) {
            let message = LocalizableMessage(.folderNotWritable, file, context.strings.reason(failure))
            throw CommandError(message: context.strings.reports(message), code: .trouble)
        } catch let error as WorkbookError {
            throw context.error(error)
        }
    }
}
