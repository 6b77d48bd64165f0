import Foundation
import Storage
import Workbook

extension KnownSources {
    /// The kata's stub and the code of its brief, its model answer, and the other answers that its suite is tried on.
    public init(_ kata: String, in workbook: WorkbookFolder) {
        func text(_ file: URL) -> String? {
            FileManager.default.contents(atPath: file.path).map { String(decoding: $0, as: UTF8.self) }
        }
        let brief = workbook.brief(kata, .english).map { MarkdownCode($0).blocks.joined().joined(separator: "\n") }
        let mutants = WorkbookFolder.swiftFiles(in: workbook.mutants(kata))
        // Those that are right come first: most of the others are made from them.
        let files =
            [workbook.modelAnswer(kata)] + mutants.filter { text($0)?.hasPrefix("// right: ") == true } + mutants
        var seen: Set<String> = []
        let answers = files.compactMap { file -> Answer? in
            let path = String(file.standardizedFileURL.path.dropFirst(workbook.url.path.count + 1))
            guard seen.insert(path).inserted, let text = text(file) else { return nil }
            return Answer(path: path, fingerprints: SourceFingerprints(of: text.utf8))
        }
        self.init(given: [text(workbook.shippedStub(kata)), brief].compactMap(\.self), answers: answers)
    }
}
