import Foundation
import Workbook

/// What gradings compile before they can begin: the program that runs suites, the support libraries, and the suites. It
/// takes a minute of a small machine, so all tests use one folder for it, which is kept in the build folder.
public enum TestCache {
    public static var folder: URL {
        get throws { try Program.buildFolder.appendingPathComponent("tests-cache") }
    }

    /// The folders of what this grader has begun and not finished. Other graders that use the cache have theirs there.
    public static func unfinishedJobs(of grader: Int32) throws -> [String] {
        let jobs = try folder.appendingPathComponent("jobs")
        let all = (try? FileManager.default.contentsOfDirectory(atPath: jobs.path)) ?? []
        return all.filter { $0.contains("-\(grader)-") }
    }

    /// Returns when the folder has what every grading needs. Verdicts of an earlier build of the grader are removed, so
    /// that they are not used as this build's verdicts.
    public static func prepared() async throws { try await preparation.value }

    private static let preparation = Task {
        let cache = try folder
        try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: cache.path) where name.hasPrefix("verdict-") {
            try FileManager.default.removeItem(at: cache.appendingPathComponent(name))
        }
        let scratch = try ScratchFolder()
        let workbook = try SmallWorkbook(at: scratch("workbook"))
        try workbook.learn("Greeting", SmallWorkbook.answer)
        let run = try await Program.run(["check"], in: workbook.folder)
        if run.code != 0 { throw NotPrepared(text: run.text) }
    }

    private struct NotPrepared: Error, CustomStringConvertible {
        var text: String
        var description: String { "Expected the model answer of a small kata to pass before the tests: \(text)" }
    }
}
