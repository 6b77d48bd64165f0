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
        while true {
            var isFolder: ObjCBool = false
            let exercises = candidate.appendingPathComponent("Exercises").path
            if FileManager.default.fileExists(atPath: exercises, isDirectory: &isFolder), isFolder.boolValue,
                !Self.isSession(candidate)
            {
                self.init(candidate)
                return
            }
            let parent = candidate.deletingLastPathComponent().standardizedFileURL
            if parent.path == candidate.path { return nil }
            candidate = parent
        }
    }

    /// A practice session has an `Exercises` of its own, inside the workbook that it belongs to.
    private static func isSession(_ folder: URL) -> Bool {
        folder.pathComponents.dropLast().suffix(2) == [".grader", "interviews"]
    }

    /// Every kata, in the workbook's order. A folder without `kata.json` is no kata.
    public func katas() throws(WorkbookError) -> [Kata] {
        let exercises = url.appendingPathComponent("Exercises")
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: exercises.path)
        } catch {
            throw WorkbookError(.noWorkbook, url.path)
        }
        var katas: [Kata] = []
        for name in names.sorted() {
            let manifest = exercises.appendingPathComponent(name).appendingPathComponent("kata.json")
            guard FileManager.default.fileExists(atPath: manifest.path) else { continue }
            do {
                katas.append(try JSONDecoder().decode(Kata.self, from: Data(contentsOf: manifest)))
            } catch {
                throw WorkbookError(.unreadableKata, manifest.path, "\(error)")
            }
        }
        return katas.sorted { ($0.order, $0.kata) < ($1.order, $1.kata) }
    }

    /// The titles of the phases that katas belong to.
    public var phases: URL { url.appendingPathComponent("Exercises/Phases.xcstrings") }

    /// `Exercises/<Kata>`: all that a learner sees.
    public func exercise(_ kata: String) -> URL { folder("Exercises", kata) }

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
        ["README.\(language.code).md", "README.md"].lazy
            .compactMap { try? Data(contentsOf: exercise(kata).appendingPathComponent($0)) }
            .map { String(decoding: $0, as: UTF8.self) }.first
    }

    /// `Solutions/<Kata>`: the model answer.
    public func solution(_ kata: String) -> URL { folder("Solutions", kata) }

    public func modelAnswer(_ kata: String) -> URL { solution(kata).appendingPathComponent("\(kata).swift") }

    /// `Tests/<Kata>Tests`: the hidden suite.
    public func suite(_ kata: String) -> URL { folder("Tests", "\(kata)Tests") }

    /// `.grader`: progress, backups and caches. It may be thrown away but for the progress and the backups.
    public var graderFolder: URL { url.appendingPathComponent(".grader") }

    private func folder(_ parent: String, _ child: String) -> URL {
        url.appendingPathComponent(parent).appendingPathComponent(child)
    }
}

/// Why a workbook could not be read.
public struct WorkbookError: Error, Sendable, Equatable {
    public var message: LocalizableMessage

    public init(_ key: LocalizableMessage.Key, _ arguments: String...) {
        message = LocalizableMessage(key, arguments: arguments)
    }
}
