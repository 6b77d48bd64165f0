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
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        return expected.map { declaration in
            let nearest = namesOf(declaration).lazy.compactMap { name in
                lines.enumerated().first { ModuleInterface.declaredName(String($0.element)) == name }
            }.first
            return Diagnostic(
                severity: .error, file: path, line: (nearest?.offset ?? 0) + 1,
                column: (nearest?.element.prefix { $0 == " " || $0 == "\t" }.count ?? 0) + 1,
                message: LocalizableMessage(.suiteExpects, declaration))
        }
    }
}
