import Foundation
import Workbook

/// A source of the grader's own that is compiled by the compiler that is there.
struct OwnSource {
    var file: URL
    var text: String

    init(_ name: String) throws(GradingError) {
        file = Bundle.module.bundleURL.appendingPathComponent("Harness/\(name).swift")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw GradingError(.supportNotBuilt, file.path)
        }
        self.text = text
    }

    private init(_ file: URL) throws {
        self.file = file
        text = try String(contentsOf: file, encoding: .utf8)
    }

    static func all(in folder: String) throws(GradingError) -> [OwnSource] {
        let folder = Bundle.module.bundleURL.appendingPathComponent(folder)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let sources = try? names.sorted().map { try OwnSource(folder.appendingPathComponent($0)) }
        guard let sources, !sources.isEmpty else { throw GradingError(.supportNotBuilt, folder.path) }
        return sources
    }
}
