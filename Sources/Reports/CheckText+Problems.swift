import Workbook

extension CheckText {
    /// The failures that come first, each as one line in the form of a compiler's error, for editors: at the declaration of the
    /// part that the test needs. A robust test of a passed kata is a warning: the kata counts as passed.
    ///
    /// - Parameters:
    ///   - source: what the file held when it was graded.
    ///   - parts: those of the stub.
    public func problems(
        _ localized: LocalizedVerdict, path: String, source: String, parts: StubParts
    ) -> [String] {
        let verdict = localized.verdict
        guard verdict.outcome == .failed || verdict.outcome == .passed else { return [] }
        let results = Dictionary(verdict.tests.map { ($0.id, $0) }) { first, _ in first }
        return verdict.rootFailures(in: localized.kata).map { test in
            let result = results[test.id]
            let part = result?.unwritten?.first ?? result?.stillRunning ?? test.parts.first
            let place = part.flatMap { parts.position(of: $0, in: Array(source.utf8)) }
            return line(
                Diagnostic(
                    severity: verdict.isPassed ? .warning : .error, file: path, line: place?.line ?? 1,
                    column: place?.column ?? 1,
                    message: LocalizableMessage(.verbatim, localized.texts.title(of: test))))
        }
    }
}
