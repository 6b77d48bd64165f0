import Workbook

/// One thing that does not hold of a kata: a sentence that waits for its language, and says what to do.
public struct Shortcoming: Error, Sendable, Equatable, CustomStringConvertible {
    public var kata: String
    public var message: LocalizableMessage
    /// What the compiler or a test said about it.
    public var details: [LocalizableMessage] = []

    init(_ kata: String, _ key: LocalizableMessage.Key, _ arguments: String..., details: [LocalizableMessage] = []) {
        self.kata = kata
        message = LocalizableMessage(key, arguments: arguments)
        self.details = details
    }

    init(_ kata: String, _ message: LocalizableMessage) {
        self.kata = kata
        self.message = message
    }

    public var description: String {
        "\(kata): \(message.key.rawValue) \((message.arguments + details.flatMap(\.arguments)).joined(separator: " | "))"
    }
}

extension [String] {
    /// As the argument of a message that is a list.
    var listed: String { joined(separator: ", ") }
}
