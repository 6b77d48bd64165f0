import Workbook

/// What a submission, or a file of one, may not be or do.
struct Rejection: Error, Equatable {
    var message: LocalizableMessage
    /// Where in the submission, from 1; 0 where the whole file is meant.
    var line = 0
    var column = 0
    /// What the source calls it, for what was found where there are no lines.
    var word: String?
    /// Why a person should look at the submission.
    var reasonsToLook: [ReasonToLook] = []

    /// - Parameter look: what a person should know who looks at the submission.
    init(
        _ message: LocalizableMessage, line: Int = 0, column: Int = 0, word: String? = nil,
        look: LocalizableMessage? = nil
    ) {
        reasonsToLook = look.map { [ReasonToLook($0)] } ?? []
        self.message = message
        self.line = line
        self.column = column
        self.word = word
    }
}
