import Foundation

/// One JSON object as the text of standard output.
enum JSONText {
    static func of(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Reports hold finite numbers and text only: there is nothing that JSON cannot say.
        guard let data = try? encoder.encode(value) else { preconditionFailure() }
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}
