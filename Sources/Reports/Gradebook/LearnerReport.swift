import Workbook

/// The texts of a gradebook in one language.
public struct GradebookLocalization: Sendable {
    public var strings: ReportStrings
    public var gradebook: GradebookStrings
    /// The katas' own words, by kata.
    public var texts: [String: KataTexts]
    public var language: Language { strings.language }

    public init(strings: ReportStrings, gradebook: GradebookStrings, texts: [String: KataTexts]) {
        self.strings = strings
        self.gradebook = gradebook
        self.texts = texts
    }
}

/// One learner's page of a gradebook, told in one language.
public struct LearnerReport: Sendable, Equatable {
    public var record: LearnerRecord
    /// Why the submission, or a part of it, was not graded.
    public var problem: String?
    public var katas: [CheckReport.KataReport]
    private var manifests: [String: Kata]

    public init(_ record: LearnerRecord, katas: [Kata], localization: GradebookLocalization) {
        self.record = record
        problem = record.problem.map { localization.strings($0) }
        let byName = Dictionary(katas.map { ($0.kata, $0) }) { first, _ in first }
        manifests = byName
        self.katas = record.katas.compactMap { kata in
            guard let manifest = byName[kata.verdict.kata], let texts = localization.texts[kata.verdict.kata] else {
                return nil
            }
            return CheckReport.KataReport(
                LocalizedVerdict(kata.verdict, kata: manifest, texts: texts), strings: localization.strings)
        }
    }

    public var points: Int { katas.reduce(0) { $0 + $1.points } }
    public var maxPoints: Int { katas.reduce(0) { $0 + $1.maxPoints } }
    public var seconds: Double { katas.reduce(0) { $0 + $1.seconds } }

    func maxPoints(of test: String, in kata: String) -> Int {
        manifests[kata]?.tests.first { $0.id == test }?.points ?? 0
    }
}

extension CheckReport.DiagnosticReport {
    /// In the form that editors link: `FirstValue.swift:3:5: message`.
    var placed: String {
        let place = file.isEmpty ? "" : line > 0 ? "\(file):\(line):\(column): " : "\(file): "
        return place + message
    }
}
