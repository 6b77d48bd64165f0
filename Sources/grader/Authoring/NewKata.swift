import Foundation
import Workbook

/// The files of a new kata: a small one that works, in which everything is there that a kata has.
struct NewKata: Sendable, Equatable {
    var name: String
    var phase: Int
    var order: Int
    /// The languages of the workbook's texts.
    var languages = Language.allCases

    /// What stands for the kata's name in the template.
    private static let placeholder = "KataName"
    /// What stands for a language's name.
    private static let languagePlaceholder = "LanguageName"

    /// The name of a module, and none that suites or submissions know already.
    static func isName(_ name: String) -> Bool {
        name.wholeMatch(of: /[A-Z][A-Za-z0-9]*/) != nil && !takenNames.contains(name) && !name.hasSuffix("Tests")
    }

    private static let takenNames: Set<String> = [
        "Checked", "Combine", "ControlTests", "Dispatch", "Foundation", "Glibc", "Grading", "Imports", "KataSupport",
        "Observation", "RegexBuilder", "Reports", "RunLog", "Storage", "Swift", "Synchronization", "Testing",
        "Workbook",
        "XCTest",
    ]

    /// The text of each file by its path in the workbook.
    ///
    /// - Parameter template: the text of each of the template's files by its path.
    func files(from template: [String: String]) throws -> [String: String] {
        var files: [String: String] = [:]
        func text(_ path: String) -> String { (template[path] ?? "").replacing(Self.placeholder, with: name) }
        files["Exercises/\(name)/\(name).swift"] = text("Stub.swift")
        files["Exercises/\(name)/.shipped/\(name).swift"] = text("Stub.swift")
        files["Solutions/\(name)/\(name).swift"] = text("Answer.swift")
        files["Tests/\(name)Tests/\(name)Tests.swift"] = text("Tests.swift")
        files["Tests/\(name)Tests/\(name)XCTests.swift"] = text("XCTests.swift")
        for path in template.keys where path.hasPrefix("Mutants/") {
            files["Tests/\(name)Tests/\(path)"] = text(path)
        }
        files["Exercises/\(name)/kata.json"] = text("kata.json")
            .replacing("\"order\": 0", with: "\"order\": \(order)")
            .replacing("\"phase\": 0", with: "\"phase\": \(phase)")
        files["Exercises/\(name)/README.md"] = text("README.md")
        let brief = text("README.md").replacing(/<!--.*?-->\n\n/, with: "")
        for language in languages where language != .english {
            files["Exercises/\(name)/README.\(language.code).md"] =
                text("Translate.md").replacing(Self.languagePlaceholder, with: language.englishName) + brief
        }
        files["Exercises/\(name)/Hints.xcstrings"] = try catalog(of: text("Hints.json"))
        return files
    }

    /// What makes a folder a workbook: a package, for completion and `swift test`, and which languages its texts have.
    static func workbookFiles(from template: [String: String]) -> [String: String] {
        let codes = Language.allCases.map { "\"\($0.code)\"" }.joined(separator: ", ")
        return [
            // What the grader keeps in a workbook is this machine's.
            ".gitignore": ".build\n.DS_Store\n.grader\n", "Package.swift": template["Package.txt"] ?? "",
            "Exercises/languages.json": "[\(codes)]\n",
        ]
    }

    /// A String Catalog with the texts in English, and in all other languages marked as new: not translated.
    private func catalog(of texts: String) throws -> String {
        let english = try JSONDecoder().decode([String: String].self, from: Data(texts.utf8))
        let strings = english.mapValues { value -> [String: Any] in
            let localizations = languages.map { language in
                let state = language == .english ? "translated" : "new"
                return (language.code, ["stringUnit": ["state": state, "value": value]])
            }
            return [
                "extractionState": "manual",
                "localizations": Dictionary(uniqueKeysWithValues: localizations),
            ]
        }
        let object: [String: Any] = ["sourceLanguage": "en", "strings": strings, "version": "1.0"]
        let data = try JSONSerialization.data(
            withJSONObject: object, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    /// The package's manifest with the kata in its list, in the order of names; `nil` where it has no such list, and does not
    /// find katas by itself.
    func added(toManifest text: String) -> String? {
        if text.contains("names(in: \"Exercises\")") { return text }
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard let start = lines.firstIndex(where: { $0.starts(with: /let katas: \[String\] = \[/) }),
            let end = lines[start...].firstIndex(of: "]")
        else { return nil }
        let line = "    \"\(name)\","
        if lines[start..<end].contains(line) { return text }
        let place = lines[(start + 1)..<end].firstIndex { $0 > line } ?? end
        lines.insert(line, at: place)
        return lines.joined(separator: "\n")
    }
}
