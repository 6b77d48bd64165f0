import Foundation
import Workbook

/// The folder that holds a workbook: `Exercises/`, `Solutions/`, `Tests/`, and the grader's own `.grader/`.
public struct WorkbookFolder: Sendable, Equatable {
    /// The folder itself.
    public let url: URL

    /// A folder that is known to be a workbook.
    public init(_ url: URL) {
        self.url = url.standardizedFileURL
    }

    /// The nearest workbook at or above `folder`; `nil` where there is none.
    public init?(containing folder: URL) {
        var candidate = folder.standardizedFileURL
        // The working folder has no path once it has been removed, and what is above it has no end.
        while candidate.path.hasPrefix("/") {
            var isFolder: ObjCBool = false
            let exercises = candidate.appendingPathComponent("Exercises").path
            if FileManager.default.fileExists(atPath: exercises, isDirectory: &isFolder), isFolder.boolValue {
                let session = InterviewFolder(candidate)
                // An interview has an `Exercises` of its own, and belongs to a workbook.
                if let workbook = session.workbook {
                    self = workbook
                    return
                }
                if !FileManager.default.fileExists(atPath: session.journal.path) {
                    self.init(candidate)
                    return
                }
            }
            let parent = candidate.deletingLastPathComponent().standardizedFileURL
            if parent.path == candidate.path { return nil }
            candidate = parent
        }
        return nil
    }

    /// Every kata, in the workbook's order. A folder without `kata.json` is no kata.
    public func katas() throws(WorkbookError) -> [Kata] {
        try manifests().compactMap(\.kata?.withUsualPoints).sorted { ($0.order, $0.kata) < ($1.order, $1.kata) }
    }

    /// The names of all katas, as far as they can be read.
    public var kataNames: [String] { ((try? manifests()) ?? []).compactMap(\.kata?.kata) }

    /// The folders in `Exercises`, and the kata that each describes; `nil` where there is no `kata.json`.
    public func manifests() throws(WorkbookError) -> [(folder: String, kata: Kata?)] {
        let exercises = url.appendingPathComponent("Exercises")
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: exercises.path)
        } catch {
            throw WorkbookError(.noWorkbook, url.path)
        }
        var manifests: [(folder: String, kata: Kata?)] = []
        for name in names.sorted() {
            let folder = exercises.appendingPathComponent(name)
            let manifest = folder.appendingPathComponent("kata.json")
            guard FileManager.default.fileExists(atPath: manifest.path) else {
                var isFolder: ObjCBool = false
                _ = FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder)
                if isFolder.boolValue, !name.hasPrefix(".") { manifests.append((name, nil)) }
                continue
            }
            do {
                manifests.append((name, try JSONDecoder().decode(Kata.self, from: Data(contentsOf: manifest))))
            } catch {
                throw WorkbookError(manifest.path, at: manifest, unreadable: error)
            }
        }
        return manifests
    }

    /// The pages of the rules that tests are instances of.
    public var rules: URL { url.appendingPathComponent("Exercises/Rules.xcstrings") }

    /// The titles of the phases that katas belong to.
    public var phases: URL { url.appendingPathComponent("Exercises/Phases.xcstrings") }

    /// `Exercises/<Kata>`: all that a learner sees.
    public func exercise(_ kata: String) -> URL { folder("Exercises", kata) }

    /// `kata.json`: what the kata is.
    public func manifest(_ kata: String) -> URL { exercise(kata).appendingPathComponent("kata.json") }

    /// The names of Swift files beside the learner's: a kata is one file.
    public func unusedFiles(_ kata: String) -> [String] {
        Self.swiftFiles(in: exercise(kata)).map(\.lastPathComponent)
            .filter { !$0.hasPrefix(".") && $0 != "\(kata).swift" }
    }

    /// The file that a learner fills in.
    public func learnerFile(_ kata: String) -> URL { exercise(kata).appendingPathComponent("\(kata).swift") }

    /// The kata's titles and hints.
    public func texts(_ kata: String) -> URL { exercise(kata).appendingPathComponent("Hints.xcstrings") }

    /// The stub as the workbook ships it: what `reset` brings back, and what a kata that is not started still equals.
    public func shippedStub(_ kata: String) -> URL {
        exercise(kata).appendingPathComponent(".shipped").appendingPathComponent("\(kata).swift")
    }

    /// What a kata asks for, in Markdown; the English text stands in where the language has none.
    public func brief(_ kata: String, _ language: Language) -> String? {
        [language, .english].lazy.compactMap { try? Data(contentsOf: briefFile(kata, $0)) }
            .map { String(decoding: $0, as: UTF8.self) }.first
    }

    /// Says which languages the texts of the katas have, where these are not all.
    public var languagesFile: URL { url.appendingPathComponent("Exercises/languages.json") }

    /// The languages of the texts, in the order of all languages; English is always one of them. `nil` where the file is no
    /// list of languages.
    public var languages: [Language]? {
        guard let data = try? Data(contentsOf: languagesFile) else { return Language.allCases }
        guard let codes = try? JSONDecoder().decode([String].self, from: data) else { return nil }
        let named = codes.map { Language(named: $0) }
        if named.contains(nil) { return nil }
        return Language.allCases.filter { $0 == .english || named.contains($0) }
    }

    /// The file of the brief in one language.
    public func briefFile(_ kata: String, _ language: Language) -> URL {
        exercise(kata).appendingPathComponent(language == .english ? "README.md" : "README.\(language.code).md")
    }

    /// `Solutions/<Kata>`: the model answer.
    public func solution(_ kata: String) -> URL { folder("Solutions", kata) }

    public func modelAnswer(_ kata: String) -> URL { solution(kata).appendingPathComponent("\(kata).swift") }

    /// Right answers in other styles than the model answer's: what a learner compares after the work.
    public func approaches(_ kata: String) -> URL { solution(kata).appendingPathComponent("Approaches") }

    /// What each approach trades, and the model answer.
    public func approachTexts(_ kata: String) -> URL {
        approaches(kata).appendingPathComponent("Approaches.xcstrings")
    }

    /// What good answers to the questions of the brief mention, in one language.
    public func interviewAnswersFile(_ kata: String, _ language: Language) -> URL {
        solution(kata).appendingPathComponent(
            language == .english ? "Interview.md" : "Interview.\(language.code).md")
    }

    /// The same, read; `nil` where the kata has none.
    public func interviewAnswers(_ kata: String, _ language: Language) -> InterviewAnswers? {
        [language, .english].lazy.compactMap { try? Data(contentsOf: interviewAnswersFile(kata, $0)) }
            .map { InterviewAnswers(String(decoding: $0, as: UTF8.self)) }.first
    }

    /// `Tests/<Kata>Tests`: the hidden suite.
    public func suite(_ kata: String) -> URL { folder("Tests", "\(kata)Tests") }

    /// The approaches and the mutants: what a suite is tried on besides the model answer.
    public func knownAnswers(_ kata: String) -> [URL] {
        Self.swiftFiles(in: approaches(kata)) + mutantFiles(kata)
    }

    /// The files of the mutants, by name: whole answers, and edits of right ones.
    public func mutantFiles(_ kata: String) -> [URL] { Self.files(in: mutants(kata), ending: [".swift", ".diff"]) }

    /// What the file of a known answer says; `nil` if it is an edit that does not fit its answer.
    public func answerText(_ file: URL) -> String? {
        func text(_ file: URL) -> String? {
            FileManager.default.contents(atPath: file.path).map { String(decoding: $0, as: UTF8.self) }
        }
        guard file.pathExtension == "diff" else { return text(file) }
        guard let edit = text(file).flatMap(AnswerEdit.init) else { return nil }
        return text(url.appendingPathComponent(edit.answer)).flatMap(edit.applied)
    }

    /// Answers that have to fail, each with the tests that it fails.
    public func mutants(_ kata: String) -> URL { suite(kata).appendingPathComponent("Mutants") }

    /// `.grader`: progress, backups and caches. It may be thrown away but for the progress and the backups.
    public var graderFolder: URL { url.appendingPathComponent(".grader") }

    /// The Swift files of a folder, by name; none where there is no such folder.
    public static func swiftFiles(in folder: URL) -> [URL] { files(in: folder, ending: [".swift"]) }

    private static func files(in folder: URL, ending: [String]) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { ending.contains(where: $0.hasSuffix) }.sorted().map { folder.appendingPathComponent($0) }
    }

    private func folder(_ parent: String, _ child: String) -> URL {
        url.appendingPathComponent(parent).appendingPathComponent(child)
    }
}
