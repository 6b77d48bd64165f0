import Reports

/// What a command line has to keep to so that the command can be performed.
struct Rule: Sendable {
    typealias Mistake = CommandLineRequest.Mistake

    let check: @Sendable (CommandLineRequest, Command) throws(Mistake) -> Void

    static let operands = Rule { (request, command) throws(Mistake) in
        try command.operands.check(request.operands, of: command)
    }

    static func notBoth(_ one: Option, _ other: Option) -> Rule {
        Rule { (request, _) throws(Mistake) in
            if request.given.contains(one), request.given.contains(other) { throw .optionsTogether(one, other) }
        }
    }

    static func requires(_ option: Option) -> Rule {
        Rule { (request, command) throws(Mistake) in
            if !request.given.contains(option) { throw .missingOption(option, command) }
        }
    }

    /// The options have a meaning only together with the other one.
    static func only(_ options: [Option], with other: Option) -> Rule {
        Rule { (request, command) throws(Mistake) in
            if let option = options.first(where: request.given.contains), !request.given.contains(other) {
                throw .optionNeeds(option, other, command)
            }
        }
    }

    static func onlyWithOneKata(_ option: Option) -> Rule {
        Rule { (request, command) throws(Mistake) in
            if request.given.contains(option), request.operands.count != 1 {
                throw .optionNeedsOneKata(option, command)
            }
        }
    }

    /// Formats are words that the command's option takes, and none names learners who stay anonymous.
    static func formats(atMost most: Int = .max) -> Rule {
        Rule { (request, command) throws(Mistake) in
            guard case .words(let known)? = command.options.first(where: { $0 == .format })?.value else { return }
            let formats = request.formats
            if formats.count > most { throw .formatNotUnderstood(formats.joined(separator: ","), known) }
            if let format = formats.first(where: { !known.contains($0) }) { throw .formatNotUnderstood(format, known) }
            if request.anonymous, let format = formats.first(where: ReportFormats.forPlatforms.contains) {
                throw .formatNamesLearners(format)
            }
        }
    }

    /// A new session takes these options; a resumed one keeps those it began with, and only that one is named.
    static func resumed(without options: [Option]) -> Rule {
        Rule { (request, command) throws(Mistake) in
            let operand = request.operands.first
            guard request.resumes else {
                guard let operand else { return }
                let name = "\(command.name) \(operand)"
                throw .unknownCommand(name, nearest: Command.nearest(to: name, among: Command.family(command.name)))
            }
            // Either the session is named, or the folder in which the last open one is looked for.
            if request.given.contains(.parent), let operand { throw .operandNotWanted(operand, command) }
            if let option = request.given.first(where: options.contains) { throw .optionsTogether(option, .resume) }
        }
    }
}
