/// Why a person should look at a submission. It is for the instructor alone, changes no points, and proves nothing.
///
/// A new kind is a key of `LocalizableMessage` with its text. What knows it adds it to a `SuiteResult` or to a `Rejection`; the
/// verdict keeps it, and the reports of a class show it.
public struct ReasonToLook: Codable, Sendable, Equatable {
    public var message: LocalizableMessage
    /// In the learner's file, from 1; `nil` where no line is meant.
    public var line: Int?

    public init(_ message: LocalizableMessage, line: Int? = nil) {
        self.message = message
        self.line = line
    }
}
