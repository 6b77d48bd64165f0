import Workbook

/// The words that a gradebook is told in: one language's.
public struct GradebookVoice: Sendable {
    public var words: ReportWords
    public var gradebook: GradebookWords
    /// The katas' own words, by kata.
    public var texts: [String: KataTexts]
    public var language: Language { words.language }

    public init(words: ReportWords, gradebook: GradebookWords, texts: [String: KataTexts]) {
        self.words = words
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

    public init(_ record: LearnerRecord, katas: [Kata], voice: GradebookVoice) {
        self.record = record
        problem = record.problem.map { voice.words($0) }
        let byName = Dictionary(katas.map { ($0.kata, $0) }) { first, _ in first }
        manifests = byName
        self.katas = record.katas.compactMap { kata in
            guard let manifest = byName[kata.verdict.kata], let texts = voice.texts[kata.verdict.kata] else {
                return nil
            }
            return CheckReport.KataReport(
                ToldVerdict(kata.verdict, kata: manifest, texts: texts), words: voice.words)
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
