import Foundation
import Workbook

/// A learner's answer to one kata, as it was when it was read: nothing reads the file again.
public struct Submission: Sendable, Equatable {
    public var kata: Kata
    /// What is graded, or why nothing can be.
    let source: Result<SourceFile, Rejection>
    /// How the file is named in diagnostics: the path that its owner knows it by.
    public var displayPath: String

    /// What is graded, as text.
    public var text: String? { (try? source.get())?.text }

    /// Reads a file.
    public init(kata: Kata, file: URL, displayPath: String) {
        self.kata = kata
        self.displayPath = displayPath
        source = Result { () throws(Rejection) in try SourceFile(reading: file, limit: Limits().sourceBytes) }
    }

    public init(kata: Kata, text: String, displayPath: String) {
        self.kata = kata
        self.displayPath = displayPath
        source = Result { () throws(Rejection) in try SourceFile([UInt8](text.utf8), limit: Limits().sourceBytes) }
    }

    init(kata: Kata, source: SourceFile, displayPath: String) {
        self.kata = kata
        self.source = .success(source)
        self.displayPath = displayPath
    }
}
