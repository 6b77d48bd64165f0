import Foundation
import Grading
import Reports
import Storage
import Workbook

/// Everything that the command says, in one language.
struct CommandStrings: Sendable {
    private let messages: LocalizedStrings<MessageKey>
    let reports: ReportStrings

    var language: Language { messages.language }
    var numbers: NumberStyle { messages.numbers }

    init(_ language: Language) throws {
        messages = try LocalizedStrings(language)
        reports = try ReportStrings(language)
    }

    func callAsFunction(_ key: MessageKey, _ arguments: StringCatalog.Argument...) -> String {
        messages.catalog.text(key.rawValue, arguments)
    }

    /// Why the command line was not understood, and what to type.
    ///
    /// - Parameter isUnicode: whether the languages' own letters can be shown.
    func message(of mistake: CommandLineRequest.Mistake, program: String, isUnicode: Bool) -> String {
        switch mistake {
        case .unknownCommand(let name, let nearest?): self(.unknownCommandNearest, .text(name), .text(nearest.name))
        case .unknownCommand(let name, nil): self(.unknownCommand, .text(name), .text("\(program) help"))
        case .unknownOption(let name, let nearest?): self(.unknownOptionNearest, .text(name), .text(nearest.name))
        case .unknownOption(let name, nil): self(.unknownOption, .text(name), .text("\(program) help"))
        case .optionOfAnotherCommand(let option, let command):
            self(
                .optionOfAnotherCommand, .text(option.name), .text(command.name),
                .text("\(program) help \(command.name)"))
        case .optionsTogether(let one, let other): self(.optionsTogether, .text(one.name), .text(other.name))
        case .missingValue(let option):
            self(.missingValue, .text(option.name), .text(option.typed))
        case .missingOption(let option, let command):
            self(
                .missingOption, .text(command.name), .text(option.name),
                .text("\(program) \(command.name) \(command.operands.placeholder)"))
        case .optionNeeds(let option, let other, let command):
            self(
                .optionNeedsOption, .text(option.name), .text(other.name),
                .text([program, command.name, other.typed, option.typed].joined(separator: " ")))
        case .optionNeedsOneKata(let option, let command):
            self(
                .optionNeedsOneKata, .text(option.name),
                .text([program, command.name, "KATA", option.typed].joined(separator: " ")))
        case .valueNotWanted(let option): self(.valueNotWanted, .text(option.name))
        case .seedIsNoNumber(let value): self(.seedIsNoNumber, .text(value), .text(String(UInt64.max)))
        case .valueNotUnderstood(let option, let value):
            self(
                .valueNotUnderstood, .text(option.name), .text(value),
                .text("\(option.name) \(option.example)"))
        case .numberNotUnderstood(let option, let value, let range) where range.upperBound == .max:
            self(
                .numberTooSmall, .text(option.name), .integer(range.lowerBound), .text(value),
                .text("\(option.name) \(option.example)"))
        case .numberNotUnderstood(let option, let value, let range):
            self(
                .numberOutOfRange, .text(option.name), .integer(range.lowerBound), .integer(range.upperBound),
                .text(value), .text("\(option.name) \(option.example)"))
        case .formatNamesLearners(let format): self(.formatNamesLearners, .text(format))
        case .formatNotUnderstood(let value, let formats):
            self(.formatNotUnderstood, .text(value), .list(formats))
        case .unknownLanguage(let name, let nearest?):
            self(.unknownLanguageNearest, .text(name), .text(nearest.code), .text(nearest.name(isUnicode: isUnicode)))
        case .unknownLanguage(let name, nil):
            self(.unknownLanguage, .text(name), .list(languages(isUnicode: isUnicode)))
        case .unknownShell(let name):
            self(.unknownShell, .text(name), .list(Shell.allCases.map(\.rawValue)))
        case .unknownEngine(let name):
            self(.unknownEngine, .text(name), .list(EngineName.available.map(\.rawValue)))
        case .missingOperand(let command):
            self(
                .missingOperand, .text(command.name),
                .text("\(program) \(command.name) \(command.operands.placeholder)"))
        case .operandNotWanted(let operand, let command):
            self(.operandNotWanted, .text(operand), .text(command.name))
        }
    }

    /// The six codes, each with the language's name in itself.
    private func languages(isUnicode: Bool) -> [String] {
        Language.allCases.map { self(.languageChoice, .text($0.code), .text($0.name(isUnicode: isUnicode))) }
    }

    /// Why progress cannot be remembered, and what to do.
    func message(of problem: ProgressStore.Problem, path typed: (URL) -> String) -> String {
        switch problem {
        case .writtenByNewerProgram(let schema):
            self(.progressNewer, .text(String(schema)), .text(String(LearnerProgress.schema)))
        case .unusable(let path, let failure):
            self(.progressUnusable, .text(typed(URL(fileURLWithPath: path))), .text(self.reason(failure)))
        }
    }

    func reason(_ failure: SystemFailure) -> String { reports.reason(failure) }
}
