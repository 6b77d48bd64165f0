import Foundation
import Storage
import Workbook

extension KnownSources {
    /// The kata's stub and the code of its brief, its model answer, and the other answers that its suite is tried on.
    ///
    /// - Parameter isIncluded: whether the answer in a file is one that learners can have read.
    public init(_ kata: String, in workbook: WorkbookFolder, isIncluded: (URL) -> Bool = { _ in true }) {
        func text(_ file: URL) -> String? {
            FileManager.default.contents(atPath: file.path).map { String(decoding: $0, as: UTF8.self) }
        }
        let brief = workbook.brief(kata, .english).map { MarkdownCode($0).blocks.joined().joined(separator: "\n") }
        let model = workbook.modelAnswer(kata)
        // Those that are right come first: most of the others are made from them.
        let files = ([model] + workbook.knownAnswers(kata)).filter(isIncluded).compactMap { file in
            workbook.answerText(file).map { (file, $0) }
        }
        let isRight = { (index: Int) in files[index].0 == model || files[index].1.hasPrefix("// right: ") }
        let order = files.indices.filter(isRight) + files.indices.filter { !isRight($0) }
        let answers = order.map { index in
            let (file, text) = files[index]
            return Answer(
                path: String(file.standardizedFileURL.path.dropFirst(workbook.url.path.count + 1)),
                fingerprints: SourceFingerprints(of: text.utf8))
        }
        self.init(given: [text(workbook.shippedStub(kata)), brief].compactMap(\.self), answers: answers)
    }
}
