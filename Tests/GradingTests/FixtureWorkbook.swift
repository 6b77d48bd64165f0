import Foundation
import Storage
import TestSupport
import Testing
import Workbook

@testable import Grading

/// A workbook of one small kata without Combine, so that the engine's own tests don't wait for the real ones.
enum FixtureWorkbook {
    static let testFolder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    static let folder = WorkbookFolder(testFolder.appendingPathComponent("Fixtures/Workbook"))

    static func kata() throws -> Kata {
        try #require(try folder.katas().first { $0.kata == "Tally" })
    }

    static func options() -> GradingOptions {
        var options = GradingOptions()
        options.cacheFolder = try? TestCache.folder
        options.usesCache = false
        options.jobs = 2
        options.seed = 7
        // A busy machine must not change the verdict.
        options.limits.suiteSeconds = 60
        options.limits.testSeconds = 30
        options.limits.compileSeconds = 120
        return options
    }

    static func answer() throws -> String {
        try String(contentsOf: folder.solution("Tally").appendingPathComponent("Tally.swift"), encoding: .utf8)
    }

    /// Grades a text as the kata's file.
    static func grade(_ text: String, options: GradingOptions = options()) async throws -> Verdict {
        try await grade(Data(text.utf8), options: options)
    }

    static func grade(_ bytes: Data, options: GradingOptions = options()) async throws -> Verdict {
        try await withFile(bytes) { file in
            let grader = try SubmissionGrader(workbook: folder, options: options)
            return try await grader.grade(
                Submission(kata: try kata(), file: file, displayPath: "Exercises/Tally/Tally.swift"))
        }
    }

    static func withFile<Result>(_ bytes: Data, _ body: (URL) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("grading-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("Tally.swift")
        try bytes.write(to: file)
        return try await body(file)
    }
}
