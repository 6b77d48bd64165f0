import Foundation
import Workbook

/// One issue of a test, as the verdict tells it.
struct TestIssue: Equatable {
    var message: LocalizableMessage
    var marbles: Marbles?
    /// The kind of what the suite found.
    var kind: String?

    private struct Finding: Decodable {
        var key: String
        var arguments: [String]
        var marbles: Marbles?
        var kind: String?
    }

    /// A suite's finding where there is one; else what the framework said.
    init(texts: [String]) {
        for line in texts.lazy.flatMap({ $0.split(whereSeparator: \.isNewline) }) {
            guard let range = line.range(of: "finding: {") else { continue }
            let json = line[line.index(before: range.upperBound)...]
            guard let finding = Self.decode(json), let key = LocalizableMessage.Key(rawValue: finding.key) else {
                continue
            }
            message = LocalizableMessage(key, arguments: finding.arguments)
            marbles = finding.marbles
            kind = finding.kind
            return
        }
        let text = texts.joined(separator: "\n")
        if text.contains("Exceeded timeout of ") {
            // An expectation that is not met is a wait in vain, and XCTest says so in English only.
            message = LocalizableMessage(.deadline)
        } else {
            message = LocalizableMessage(.verbatim, text)
        }
    }

    /// Reads the JSON object that the text begins with; a framework may have put a quotation mark behind it.
    private static func decode(_ text: Substring) -> Finding? {
        var text = text
        while let end = text.lastIndex(of: "}") {
            text = text[...end]
            if let finding = try? JSONDecoder().decode(Finding.self, from: Data(text.utf8)) { return finding }
            text = text.dropLast()
        }
        return nil
    }
}
