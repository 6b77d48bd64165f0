import Foundation
import Workbook

/// A source of the grader's own that is compiled by the compiler that is there.
struct OwnSource {
    var file: URL
    var text: String

    /// - Parameter name: the file's path among the grader's resources, without its ending where that is `swift`.
    init(_ name: String) throws(GradingError) {
        file = Bundle.module.bundleURL.appendingPathComponent(name)
        if file.pathExtension.isEmpty { file.appendPathExtension("swift") }
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw GradingError(.supportNotBuilt, file.path)
        }
        self.text = text
    }
}
