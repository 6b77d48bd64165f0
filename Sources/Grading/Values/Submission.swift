import Foundation
import Workbook

/// A learner's file for one kata, wherever it came from.
public struct Submission: Sendable, Equatable {
    public var kata: Kata
    /// The file to grade.
    public var file: URL
    /// How the file is named in diagnostics: the path that its owner knows it by.
    public var displayPath: String

    public init(kata: Kata, file: URL, displayPath: String) {
        self.kata = kata
        self.file = file
        self.displayPath = displayPath
    }
}
