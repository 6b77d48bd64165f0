import Foundation
import Storage
import Workbook

/// The files of the workbook that a kata is graded with.
struct KataSources: Sendable {
    /// The model answer.
    var answer: [URL]
    /// The hidden suite.
    var suite: [URL]
    /// The text of each, with the names of its files: part of the key of what is made from it.
    var answerText: String
    var suiteText: String

    init(_ kata: Kata, in workbook: WorkbookFolder) throws(GradingError) {
        answer = try Self.swiftFiles(workbook.solution(kata.kata), of: kata)
        suite = try Self.swiftFiles(workbook.suite(kata.kata), of: kata)
        answerText = try Self.text(of: answer)
        suiteText = try Self.text(of: suite)
    }

    private static func swiftFiles(_ folder: URL, of kata: Kata) throws(GradingError) -> [URL] {
        let files = WorkbookFolder.swiftFiles(in: folder)
        guard !files.isEmpty else { throw GradingError(.noSuite, kata.kata, folder.path) }
        return files
    }

    private static func text(of files: [URL]) throws(GradingError) -> String {
        var text = ""
        for file in files {
            guard let content = try? String(contentsOf: file, encoding: .utf8) else {
                throw GradingError(.noSuite, file.lastPathComponent, file.path)
            }
            text += "\(file.lastPathComponent) \(content.utf8.count)\n\(content)"
        }
        return text
    }
}
