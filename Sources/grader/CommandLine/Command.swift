import Workbook

/// What the grader can be told to do: what follows its name, and which options it has. `Command+Perform.swift` performs it.
///
/// Each is a row in `Commands.swift`.
struct Command: Sendable {
    /// As it is typed; some have two words.
    let name: String
    let operands: Operands
    let summary: MessageKey
    /// The options that mean something to the command.
    let options: [Option]
    /// Options of earlier versions, which ask for what is so without them.
    let formerOptions: [Option]
    /// In the order in which mistakes are reported.
    let rules: [Rule]

    init(
        _ name: String, takes operands: Operands = .none, _ summary: MessageKey, _ options: [Option] = [],
        former formerOptions: [Option] = [], rules: [Rule] = [.operands]
    ) {
        self.name = name
        self.operands = operands
        self.summary = summary
        self.options = options + [Option.language, .help, .version]
        self.formerOptions = formerOptions
        self.rules = rules
    }

    var words: [String] { name.split(separator: " ").map(String.init) }

    /// The commands that begin with the word and have a second one.
    static func family(_ word: String) -> [Command] { all.filter { $0.words.count == 2 && $0.words[0] == word } }

    init?(named name: String) {
        guard let command = Self.all.first(where: { $0.name == name }) else { return nil }
        self = command
    }

    /// The command that the words begin with; the longer one counts.
    init?(beginning words: [String]) {
        let typed = words.prefix(2).map { $0.lowercased() }
        guard let command = Self(named: typed.joined(separator: " ")) ?? typed.first.flatMap(Self.init(named:)) else {
            return nil
        }
        self = command
    }

    static func nearest(to name: String, among commands: [Command] = all) -> Command? {
        NearestName(to: name, among: commands.map(\.name)).name.flatMap(Command.init(named:))
    }
}

extension Command: Hashable {
    static func == (one: Command, other: Command) -> Bool { one.name == other.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
