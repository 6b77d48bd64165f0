import Workbook

/// What may follow a command's name.
struct Operands: Sendable {
    /// What they name, for a shell that completes them.
    enum Kind: Sendable { case katas, folders, language, shell, command, other }

    /// As a line of help shows them.
    let placeholder: String
    /// How many there may be.
    let count: ClosedRange<Int>
    let kind: Kind

    init(_ placeholder: String, _ count: ClosedRange<Int>, _ kind: Kind = .other) {
        self.placeholder = placeholder
        self.count = count
        self.kind = kind
    }

    static let none = Operands("", 0...0)
    static let katas = Operands("[KATA …]", 0...Int.max, .katas)
    static let optionalKata = Operands("[KATA]", 0...1, .katas)
    static let kata = Operands("KATA", 1...1, .katas)
    static let folder = Operands("FOLDER", 1...1, .folders)

    /// What is wrong with those that were typed.
    func check(_ operands: [String], of command: Command) throws(CommandLineRequest.Mistake) {
        if operands.count < count.lowerBound { throw .missingOperand(command) }
        if operands.count > count.upperBound { throw .operandNotWanted(operands[count.upperBound], command) }
        // An empty name is what a shell makes of a variable that is not set.
        if operands.contains("") { throw .missingOperand(command) }
        guard let operand = operands.first else { return }
        switch kind {
        case .shell:
            if Shell(rawValue: operand.lowercased()) == nil { throw .unknownShell(operand) }
        case .language:
            if Language(named: operand) == nil {
                throw .unknownLanguage(operand, nearest: Language.nearest(to: operand))
            }
        case .command:
            if operands.count == 1, !Command.family(operand.lowercased()).isEmpty { return }
            guard let known = Command(beginning: operands) else {
                throw .unknownCommand(operand, nearest: Command.nearest(to: operand))
            }
            if operands.count > known.words.count { throw .operandNotWanted(operands[1], command) }
        case .katas, .folders, .other: break
        }
    }
}

/// A shell that `completion` writes a script for.
enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish
}
