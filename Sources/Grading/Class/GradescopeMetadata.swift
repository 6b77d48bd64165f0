import Foundation
import Workbook

/// `submission_metadata.json`, which Gradescope puts next to the folder that its autograder grades.
enum GradescopeMetadata {
    static let fileName = "submission_metadata.json"

    /// When the submission next to this file was handed in; `nil` where the file does not say it.
    static func time(besides submission: URL) -> SubmissionTime? {
        let file = submission.deletingLastPathComponent().appendingPathComponent(fileName)
        guard let data = try? Data(contentsOf: file),
            case .object(let metadata)? = try? JSONDecoder().decode(JSONValue.self, from: data),
            case .text(let created)? = metadata["created_at"], let date = DateText(created, timeZone: .gmt)
        else { return nil }
        return SubmissionTime(seconds: date.first)
    }
}
