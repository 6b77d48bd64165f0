import Foundation
import Grading
import Reports
import Storage
import Workbook

/// The report of what was graded in some folders: files in the report's folder, and what the console says about them.
///
/// Records are read twice: what is said of one learner may depend on all others.
struct GradebookReport {
    private let session: WorkbookSession
    private let folders: [URL]
    private let report: URL
    private let policy: GradingPolicy
    private let formats: [String]
    private let isAnonymous: Bool
    private let kept: SubmittedCode
    private let tables: ClassTables
    private var roster: Roster?
    private var overrides: Overrides
    private var shared = SharedIdentities()
    /// Whether all learners of the class are in it.
    private var isWholeClass = true
    private var book: GradebookFolder?
    private var remarks: [(learner: String, note: LocalizableMessage)] = []

    private var context: CommandContext { session.context }
    private var strings: CommandStrings { session.strings }

    /// - Parameter policy: how points count.
    init(
        _ session: WorkbookSession, of folders: [URL], into report: URL, policy: GradingPolicy
    ) throws(CommandError) {
        self.session = session
        self.folders = folders
        self.report = report
        self.policy = policy
        let chosen = session.context.request.formats
        formats = chosen.isEmpty ? ReportFormats.forClasses : chosen
        isAnonymous = session.context.request.anonymous
        kept = SubmittedCode(of: folders)
        overrides = try OverridesFile(session: session, folder: report).overrides(and: folders)
        (tables, roster) = try TablesNextToClass(context: session.context).read(folders, report: report)
    }

    mutating func write() throws(CommandError) {
        do {
            try FileManager.default.createDirectory(at: report, withIntermediateDirectories: true)
            let absent = try readIdentities()
            let withoutNames = isAnonymous ? try addWithoutNames(absent) : try addWithNames(absent)
            let workbook = session.workbook
            let similar = ClassCode(
                known: { KnownSources($0, in: workbook) }, text: { [kept] in kept.text($0) }, shown: withoutNames)
            guard let totals = try book?.finish(similar) else { return }
            try say(totals)
        } catch {
            throw session.error(error)
        }
    }

    // MARK: Records

    private func read(_ header: (ClassHeader) throws -> Void, _ each: (LearnerRecord) throws -> Void) throws {
        guard folders == [report] else { return try ClassRecordFile.merge(folders, each: each, header: header) }
        let reader = try ClassRecordFile.Reader(report)
        try header(reader.header)
        for record in reader { try each(record) }
    }

    /// Notes who is who. Gives back those who are in the roster, and handed in nothing.
    private mutating func readIdentities() throws -> [LearnerRecord] {
        var (roster, shared) = (roster, shared)
        var graded = ClassHeader?.none
        try read({ graded = $0 }) { shared.add(roster?.found($0) ?? $0) }
        if graded?.shard != nil {
            // The others are in another part of the class.
            (self.roster, isWholeClass) = (nil, false)
        } else {
            self.roster = roster
        }
        let absent = self.roster?.absent(graded?.katas ?? []) ?? []
        for record in absent { shared.add(record) }
        self.shared = shared
        return absent
    }

    /// What the roster knows of a learner, and what it has to say.
    private mutating func known(_ record: LearnerRecord) -> (record: LearnerRecord, notes: [LocalizableMessage]) {
        guard roster != nil else { return (record, []) }
        let known = roster?.found(record)
        return (known ?? record, known == nil ? [LocalizableMessage(.notInRoster)] : [])
    }

    private mutating func override(_ record: LearnerRecord) throws(CommandError) -> Override? {
        do {
            return try overrides.found(for: record)
        } catch {
            throw OverridesFile(session: session, folder: report).error(error)
        }
    }

    private func code(_ record: LearnerRecord) -> [String: String] {
        formats.contains(where: ReportFormats.showingCode.contains) ? kept.texts(of: record) : [:]
    }

    // MARK: The files

    private func open(_ header: ClassHeader) throws -> GradebookFolder {
        try PolicyFile(session: session, folder: report).write(policy)
        try OverridesFile(session: session, folder: report).write(overrides)
        var localization = try session.gradebookLocalization(header.katas, formats)
        localization.comments = try session.comments(in: report, header.katas)
        return try GradebookFolder(
            report, header: header, policy: policy, localization: localization, formats: formats, tables: tables,
            isAnonymous: isAnonymous)
    }

    /// Takes out of a text what learners must not be known by.
    private typealias WithoutNames = @Sendable (_ text: String, _ learners: [String]) -> String

    /// Adds a learner at a time, in the order of their names.
    private mutating func addWithNames(_ absent: [LearnerRecord]) throws -> WithoutNames {
        var new = self
        var absent = absent[...]
        func add(_ record: LearnerRecord, _ more: [LocalizableMessage] = []) throws {
            let notes = new.shared.notes(on: record) + more
            new.remarks += notes.map { (record.learner, $0) }
            try new.book?.add(record, code: new.code(record), override: new.override(record), notes: notes)
        }
        try read({ new.book = try new.open($0) }) { record in
            while let first = absent.first, first.learner < record.learner { try add(absent.removeFirst()) }
            let (known, notes) = new.known(record)
            try add(known, notes)
        }
        for record in absent { try add(record) }
        self = new
        return { text, _ in text }
    }

    /// Numbers are in another order than names, so that all records have to be there before the first is written.
    private mutating func addWithoutNames(_ absent: [LearnerRecord]) throws -> WithoutNames {
        var new = self
        var all: [(record: LearnerRecord, notes: [LocalizableMessage])] = absent.map { ($0, []) }
        try read({ new.book = try new.open($0) }) { all.append(new.known($0)) }
        let records = all.map(\.record)
        let numbers = try numbers(for: records)
        for (record, more) in all.sorted(by: { numbers.label($0.record.learner) < numbers.label($1.record.learner) }) {
            let notes = new.shared.notes(on: record, calling: numbers.label) + more
            new.remarks += notes.map { (numbers.label(record.learner), $0) }
            // What the instructor wrote may name others.
            let override = try new.override(record)?.mapTexts { text in
                numbers.anonymous(text, of: [record] + records.filter { $0.learner != record.learner })
            }
            try new.book?.add(
                numbers.anonymous(record), code: new.code(record).mapValues { numbers.anonymous($0, of: [record]) },
                override: override, notes: notes)
        }
        self = new
        let owners = Dictionary(records.map { (numbers.label($0.learner), $0) }) { first, _ in first }
        return { numbers.anonymous($0, of: $1.compactMap { owners[$0] }) }
    }

    /// The numbers for the names of these records, which the report's folder keeps.
    private func numbers(for records: [LearnerRecord]) throws(CommandError) -> LearnerNumbers {
        let file = NamesFile(context: context, folder: report)
        var numbers = try file.read()
        var generator = SystemRandomNumberGenerator()
        numbers.add(records.map(\.learner), using: &generator)
        try file.write(numbers)
        return numbers
    }

    // MARK: The console

    private func say(_ totals: GradebookTotals) throws {
        context.console.print(try summary(totals))
        func quoted(_ names: some Sequence<String>) -> StringCatalog.Argument {
            .list(names.map { "`\(context.console.plain($0))`" })
        }
        for (learner, note) in remarks {
            let (name, text) = (context.console.plain(learner), context.console.plain(strings.reports(note)))
            context.console.say(strings(.gradeProblem, .text(name), .text(text)))
        }
        // The others of them may be in another part of the class.
        if !overrides.unused.isEmpty, isWholeClass {
            context.console.say(
                strings(.overridesUnused, .text(Overrides.fileName), quoted(overrides.unused.sorted())))
        }
        for (path, place) in book?.keptFiles ?? [] {
            context.console.say(strings(.gradeKept, .text(path), .text(place)))
        }
        for (path, learners) in book?.unplaced ?? [] {
            context.console.say(strings(.gradeUnplaced, .text(path), quoted(learners)))
        }
        let page = formats.contains(ReportFormats.page) ? "gradebook.html" : "gradebook.json"
        context.console.print(strings(.gradeDone, .text(report.appendingPathComponent(page).path)))
    }

    /// How the class did, on one line, and at which submissions a person should look.
    private func summary(_ totals: GradebookTotals) throws -> String {
        let words = try GradebookStrings(strings.language)
        let sums = totals.sums
        let outcomes: [Verdict.Outcome] = [.mastered, .passed, .failed, .didNotCompile, .rejected]
        let counts =
            [(words(.learners), sums.learners), (words(.handedIn), sums.handedIn)]
            + outcomes.map { (strings.reports($0), sums.outcomes[$0.rawValue] ?? 0) } + [
                (words(.problems), sums.problems), (words(.toLookAt), sums.toLookAt),
            ]
        let line = counts.map { "\($0): \(strings.numbers.integer($1))" }.joined(separator: ", ")
        let looks = totals.looks.map { "\(context.console.plain($0.learner)): " + words(.look, .text($0.look.placed)) }
        return ([line] + looks).joined(separator: "\n")
    }
}
