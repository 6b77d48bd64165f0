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
        return expected.map { declaration in
            let nearest = namesOf(declaration).lazy.compactMap { places[$0] }.first
            return Diagnostic(
                severity: .error, file: path, line: nearest?.line ?? 1, column: nearest?.column ?? 1,
                message: LocalizableMessage(.suiteExpects, declaration))
        }
    }

    /// As far as a person would read a kata.
    private static let longestText = 1 << 17

    /// Where each of the names is declared first.
    private static func places(of names: Set<String>, in text: String) -> [String: (line: Int, column: Int)] {
        var places: [String: (line: Int, column: Int)] = [:]
        let lines = text.utf8.prefix(longestText).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            guard let name = ModuleInterface.declaredName(String(decoding: line, as: UTF8.self)), names.contains(name),
                places[name] == nil
            else { continue }
            let indentation = line.prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            places[name] = (index + 1, indentation.count + 1)
        }
        return places
    }
}
