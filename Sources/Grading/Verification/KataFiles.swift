import Foundation
import Storage
import Workbook

/// The files that make a kata, read once: what the rules look at.
struct KataFiles: Sendable, Equatable {
    struct File: Sendable, Equatable {
        /// In the workbook: `Exercises/FirstValue/README.md`.
        var path: String
        /// `nil` where there is no such file.
        var text: String?

        /// The file's name without its ending.
        var name: String {
            path.split(separator: "/").last.map { String($0.split(separator: ".")[0]) } ?? ""
        }
    }

    var kata: Kata
    var manifest: String
    /// The languages that the texts have to be in.
    var languages = Language.allCases
    var stub: File
    /// The copy of the stub that `reset` brings back.
    var shippedStub: File
    var modelAnswer: File
    /// In the order of `languages`.
    var briefs: [Brief]
    var catalog: File
    /// The titles of the phases; without text where the workbook has none.
    var phases: File
    var suite: [File]
    /// The folder of the mutants.
    var mutantsFolder: String
    var mutants: [File]
    /// The right answers that a learner compares after the work, and what they trade.
    var approaches: [File] = []
    var approachTexts = File(path: "")
    /// What good answers to the brief's questions mention, in the order of `languages`.
    var interviewAnswers: [Brief] = []

    struct Brief: Sendable, Equatable {
        var language: Language
        var file: File
    }
}

extension KataFiles {
    /// Reads what is there.
    init(_ kata: Kata, in workbook: WorkbookFolder) {
        func path(_ url: URL) -> String {
            url.standardizedFileURL.pathComponents.dropFirst(workbook.url.pathComponents.count).joined(separator: "/")
        }
        func file(_ url: URL) -> File {
            File(path: path(url), text: (try? Data(contentsOf: url)).map { String(decoding: $0, as: UTF8.self) })
        }
        let name = kata.kata
        let languages = workbook.languages ?? Language.allCases
        self.kata = kata
        self.languages = languages
        manifest = path(workbook.manifest(name))
        stub = file(workbook.learnerFile(name))
        shippedStub = file(workbook.shippedStub(name))
        modelAnswer = file(workbook.modelAnswer(name))
        briefs = languages.map { Brief(language: $0, file: file(workbook.briefFile(name, $0))) }
        catalog = file(workbook.texts(name))
        phases = file(workbook.phases)
        suite = WorkbookFolder.swiftFiles(in: workbook.suite(name)).map(file)
        mutantsFolder = path(workbook.mutants(name))
        mutants = workbook.mutantFiles(name).map { File(path: path($0), text: workbook.answerText($0)) }
        approaches = WorkbookFolder.swiftFiles(in: workbook.approaches(name)).map(file)
        approachTexts = file(workbook.approachTexts(name))
        interviewAnswers = languages.map {
            Brief(language: $0, file: file(workbook.interviewAnswersFile(name, $0)))
        }
    }

    func shortcoming(
        _ key: LocalizableMessage.Key, _ arguments: String..., details: [LocalizableMessage] = []
    ) -> Shortcoming {
        var shortcoming = Shortcoming(kata.kata, key, details: details)
        shortcoming.message.arguments = arguments
        return shortcoming
    }
}
