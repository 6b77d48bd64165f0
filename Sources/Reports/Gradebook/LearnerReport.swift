import Workbook

/// The texts of a gradebook in one language.
public struct GradebookLocalization: Sendable {
    public var strings: ReportStrings
    public var gradebook: GradebookStrings
    /// The katas' own words, by kata.
    public var texts: [String: KataTexts]
    /// The code of each test, by kata and test, where a report shows it.
    public var testCode: [String: [KataTest.ID: String]]
    /// What the instructor says to everyone who fails a test, by kata and test.
    public var comments: [String: [KataTest.ID: String]] = [:]
    public var language: Language { strings.language }

    public init(
        strings: ReportStrings, gradebook: GradebookStrings, texts: [String: KataTexts],
        testCode: [String: [KataTest.ID: String]] = [:]
    ) {
        self.strings = strings
        self.gradebook = gradebook
        self.texts = texts
        self.testCode = testCode
    }
}

/// Why a person should look at one kata of a submission, in one language.
public struct Look: Encodable, Sendable, Equatable {
    public var kata: String
    @OrNull public var line: Int?
    public var reason: String

    static func all(in verdict: Verdict, _ strings: ReportStrings) -> [Look] {
        (verdict.reasonsToLook ?? []).map { Look(kata: verdict.kata, line: $0.line, reason: strings($0.message)) }
    }

    /// `FirstValue.swift:3: reason`
    public var placed: String { "\(kata).swift" + (line.map { ":\($0)" } ?? "") + ": " + reason }
}

/// One learner's page of a gradebook, told in one language.
public struct LearnerReport: Sendable {
    public var record: LearnerRecord
    /// Why the submission, or a part of it, was not graded.
    public var problem: String?
    /// The same, where none of the katas says it by itself.
    var problemOfNoKata: String? {
        let isSaid = record.katas.contains { $0.verdict.diagnostics.contains { $0.message == record.problem } }
        return isSaid ? nil : problem
    }
    /// What else the instructor has to know, and the learner not.
    let notes: [LocalizableMessage]
    /// The problem and the notes; empty where there are none.
    let remark: String
    /// The remark, why katas were rejected, and why a person should look at them: all that an instructor has to know besides
    /// the points.
    let note: String
    /// Why a person should look at the submission: for the instructor alone.
    let look: [Look]
    /// How late the submission is; `nil` where it is in time, or there is no deadline.
    var lateness: Lateness?
    /// When it was graded, counted from 1970, where the report is about one run.
    public var gradedAt: Int?
    /// The deadline, where nothing says when the submission came: nothing was deducted.
    public var unappliedDeadline: String?
    /// What the instructor has decided for this learner alone.
    let override: Override?
    /// What was decided, in sentences; without what the tests say of the points.
    let decisions: [String]
    public var katas: [CheckReport.KataReport]
    /// What was submitted for each kata, as far as it was kept.
    let code: [String: String]
    private(set) var manifests: [String: Kata]
    private(set) var localization: GradebookLocalization
    /// What of it the reader may see; `nil` for what each format shows by itself.
    private(set) var release: Release?
    /// The same without anything left out.
    let complete: (record: LearnerRecord, katas: [Kata], localization: GradebookLocalization)

    public init(
        _ record: LearnerRecord, katas: [Kata], localization: GradebookLocalization, code: [String: String] = [:],
        lateness: Lateness? = nil, override: Override? = nil, notes: [LocalizableMessage] = []
    ) {
        self.record = record
        complete = (record, katas, localization)
        self.notes = notes
        self.code = code
        self.lateness = lateness
        self.override = override
        self.localization = localization
        problem = record.problem.map { localization.strings($0) }
        let rejections = record.rejections.map { CheckReport.DiagnosticReport($0, localization.strings).placed }
        remark = ([problem].compactMap(\.self) + notes.map { localization.strings($0) }).joined(separator: " ")
        look = record.katas.flatMap { Look.all(in: $0.verdict, localization.strings) }
        let looks = look.map { localization.gradebook(.look, .text($0.placed)) }
        note = ([remark].filter { !$0.isEmpty } + rejections + looks).joined(separator: " ")
        let manifests = Dictionary(katas.map { ($0.kata, $0) }) { first, _ in first }
        self.manifests = manifests
        let katas = record.katas.compactMap { kata -> CheckReport.KataReport? in
            guard let manifest = manifests[kata.verdict.kata], let texts = localization.texts[kata.verdict.kata] else {
                return nil
            }
            return CheckReport.KataReport(
                LocalizedVerdict(kata.verdict, kata: manifest, texts: texts), strings: localization.strings)
        }
        decisions = override.map { $0.decisions(on: katas, localization.gradebook) } ?? []
        self.katas = katas.map { kata in
            var kata = kata
            if let points = override?.points[kata.kata] { kata.points = points }
            return kata
        }
    }

    /// What the learner may see of it.
    public func released(_ release: Release) -> LearnerReport {
        var result = self
        result.release = release
        for (kata, manifest) in manifests {
            for test in manifest.tests where release.level(test.tier) < .everything {
                result.localization.testCode[kata]?[test.id] = nil
            }
        }
        result.manifests = manifests.mapValues(release.applied)
        for (index, kata) in record.katas.enumerated() {
            guard let manifest = manifests[kata.verdict.kata], let texts = localization.texts[kata.verdict.kata],
                let place = katas.firstIndex(where: { $0.kata == manifest.kata })
            else { continue }
            let verdict = release.applied(to: kata.verdict, of: manifest)
            var shown = CheckReport.KataReport(
                LocalizedVerdict(verdict, kata: release.applied(to: manifest), texts: texts),
                strings: localization.strings)
            shown.points = katas[place].points
            // Which tests have a hint depends on all tests.
            let hinted = Set(katas[place].tests.filter { $0.hint != nil }.map(\.id))
            for test in shown.tests.indices {
                let hints = manifest.tests.first { $0.id == shown.tests[test].id && hinted.contains($0.id) }.map {
                    test in
                    (0..<release.level(test.tier).hints).map {
                        texts.hint($0 + 1, for: test, in: verdict, general: localization.strings)
                    }
                }
                shown.tests[test].hint = hints.flatMap { $0.isEmpty ? nil : $0.joined(separator: "\n") }
            }
            result.record.katas[index].verdict = verdict
            result.katas[place] = shown
        }
        return result
    }

    /// The points that count.
    public var points: Int { lateness?.reduced(pointsBefore) ?? pointsBefore }
    /// The points of the katas, before anything is taken off for lateness.
    public var pointsBefore: Int { katas.reduce(0) { $0 + $1.points } }
    public var maxPoints: Int { katas.reduce(0) { $0 + $1.maxPoints } }
    /// In whole milliseconds, as each kata's are.
    public var seconds: Double { (katas.reduce(0) { $0 + $1.seconds } * 1000).rounded() / 1000 }

    /// Whether the platform or the deadline makes it late.
    var isLate: Bool {
        let isForgiven = override?.isExcused == true || override?.until != nil
        return lateness != nil || record.identity?.isLate == true && !isForgiven
    }

    /// Why the points are others than those of the tests: how late it is, and what was decided; in sentences.
    public var adjustments: [String] {
        [
            lateness.map { localization.strings.text(of: $0, points: pointsBefore) },
            unappliedDeadline.map { localization.gradebook(.deadlineNotApplied, .text($0)) },
        ].compactMap(\.self) + decisions
    }

    /// The points of each kata, for formats that only have those of tests, where the reader does not see all tests.
    var pointsOfKatas: [String] {
        guard release.map({ min($0.core, $0.robust) == .points }) == true else { return [] }
        return katas.map {
            "\($0.kata): \(localization.strings(.points, .integer($0.points), .integer($0.maxPoints)))"
        }
    }

    /// Whether there was a file of the kata.
    func isHandedIn(_ kata: String) -> Bool {
        record.katas.contains { $0.verdict.kata == kata && $0.verdict.isHandedIn }
    }

    /// What the instructor says about a test that ran and did not pass.
    func comment(on test: CheckReport.TestReport, of kata: String) -> String? {
        switch test.outcome {
        case .failed, .crashed, .timedOut:
            localization.comments[kata]?[test.id].map { localization.gradebook(.comment, .text($0)) }
        case .passed, .notRun: nil
        }
    }

    /// What a test that did not pass has to say: what was found, the points that it cost, the hint, and the instructor's
    /// comment.
    func said(of test: CheckReport.TestReport, in kata: String) -> String {
        guard test.outcome != .passed else { return test.message ?? "" }
        // A policy may share so few points that a test has none.
        let points =
            test.maxPoints == 0
            ? nil : localization.strings(.points, .integer(test.points), .integer(test.maxPoints))
        return [test.message, points, test.hint, comment(on: test, of: kata)].compactMap(\.self).joined(separator: "\n")
    }
}

extension Override {
    /// In sentences.
    ///
    /// - Parameter katas: with the points of their tests.
    fileprivate func decisions(on katas: [CheckReport.KataReport], _ strings: GradebookStrings) -> [String] {
        let deadline = isExcused ? strings(.lateExcused) : until.map { strings(.extended, .text($0.text)) }
        let given = katas.compactMap { kata in
            points[kata.kata].map {
                strings(.pointsGiven, .text(kata.kata), .integer($0), .integer(kata.points))
            }
        }
        return
            ([deadline] + given + [
                reason.map { strings(.reason, .text($0)) }, comment.map { strings(.comment, .text($0)) },
            ])
            .compactMap(\.self)
    }
}

extension ReportStrings {
    /// How late a submission is, and what that costs, in a sentence.
    public func text(of lateness: Lateness, points: Int) -> String {
        if lateness.percent == 0 { return self(.lateBy, .text(lateness.clock ?? "?")) }
        return self(
            .lateness, .text(lateness.clock ?? "?"), .text(numbers.percent(Double(lateness.percent) / 100)),
            .integer(points), .integer(lateness.reduced(points)))
    }
}

extension CheckReport.DiagnosticReport {
    init(_ diagnostic: Diagnostic, _ strings: ReportStrings) {
        self.init(
            severity: diagnostic.severity, file: diagnostic.file, line: diagnostic.line, column: diagnostic.column,
            message: strings(diagnostic.message))
    }

    /// In the form that editors link: `FirstValue.swift:3:5: message`.
    var placed: String {
        let place = file.isEmpty ? "" : line > 0 ? "\(file):\(line):\(column): " : "\(file): "
        return place + message
    }
}
