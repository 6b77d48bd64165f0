import Workbook

/// What the suite expects and a submission does not declare.
struct MissingDeclarations {
    /// The lines of the model answer's interface that the submission's lacks, each with the lines that it stands in.
    var lacking: [[String]]
    var kata: Kata

    /// The declarations as a learner would write them, each at the line of the text that comes nearest.
    func diagnostics(in text: String, path: String) -> [Diagnostic] {
        let names = Set(lacking.compactMap { $0.last.flatMap(ModuleInterface.declaredName) })
        func namesOf(_ declaration: String) -> [String] {
            ModuleInterface.identifiers(declaration).map(String.init).filter(names.contains)
        }
        var expected = kata.interface.filter { !namesOf($0).isEmpty }
        if expected.isEmpty { expected = kata.interface }
        if expected.isEmpty { expected = lacking.compactMap(\.last) }
        let places = Self.places(of: names, in: text)
        let hidden = lacking.compactMap(\.last).filter { !$0.contains("extension ") && $0.contains("public ") }
            .compactMap(ModuleInterface.declaredName).filter { places[$0]?.isPublic == false }
        if !hidden.isEmpty {
            // What else is lacking follows from them, or is said after the next save.
            return Set(hidden).compactMap { name in
                places[name].map {
                    Diagnostic(
                        severity: .error, file: path, line: $0.line, column: $0.column,
                        message: LocalizableMessage(.notPublic, name))
                }
            }.sorted { $0.line < $1.line }
        }
        return expected.map { declaration in
            let nearest = namesOf(declaration).lazy.compactMap { places[$0] }.first
            return Diagnostic(
                severity: .error, file: path, line: nearest?.line ?? 1, column: nearest?.column ?? 1,
                message: LocalizableMessage(.suiteExpects, declaration))
        }
    }

    /// Where a name is declared, and whether its line says that others may use it.
    private struct Place {
        var line: Int
        var column: Int
        var isPublic: Bool
    }

    /// As far as a person would read a kata.
    private static let longestText = 1 << 17

    /// Where each of the names is declared first.
    private static func places(of names: Set<String>, in text: String) -> [String: Place] {
        var places: [String: Place] = [:]
        var isInPublicExtension = false
        let lines = text.utf8.prefix(longestText).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let words = ModuleInterface.identifiers(String(decoding: line, as: UTF8.self))
            if words.contains("extension") { isInPublicExtension = words.first == "public" }
            guard let name = ModuleInterface.declaredName(String(decoding: line, as: UTF8.self)), names.contains(name),
                places[name] == nil
            else { continue }
            let indentation = line.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            let isPublic =
                isInPublicExtension || words.contains("public") || words.contains("open") || words.contains("extension")
                || words.contains("case")
            places[name] = Place(line: index + 1, column: indentation.count + 1, isPublic: isPublic)
        }
        return places
    }
}
