import Grading
import Workbook

/// `grader completion`: a script that lets a shell finish what is typed.
struct CompletionCommand: Sendable {
    let context: CommandContext

    func run() -> ExitCode {
        let shell = context.request.operands.first.flatMap { Shell(rawValue: $0.lowercased()) } ?? .bash
        context.console.printVerbatim(CompletionScript(strings: context.strings).text(for: shell))
        return .passed
    }
}

/// What a shell needs to know of the command line, made from the same tables that read it.
struct CompletionScript: Sendable {
    let strings: CommandStrings

    func text(for shell: Shell) -> String {
        switch shell {
        case .bash: bash
        case .zsh: zsh
        case .fish: fish
        }
    }

    private var takesKatas: String { alternatives { $0.operands.kind == .katas } }

    private var takesFolders: String { alternatives { $0.operands.kind == .folders } }

    /// Commands as the pattern of a shell's `case`.
    private func alternatives(_ isMeant: (Command) -> Bool) -> String {
        Command.all.filter(isMeant).map { $0.words.count == 1 ? $0.name : "'\($0.name)'" }
            .joined(separator: "|")
    }

    /// The words that a command line may begin with.
    private var commands: String { firstWords.map(\.word).joined(separator: " ") }

    /// Each with what it does: a word that only begins commands does what the first of them does.
    private var firstWords: [(word: String, command: Command)] {
        var words: [(word: String, command: Command)] = []
        for command in Command.all where !words.contains(where: { $0.word == command.words[0] }) {
            words.append((command.words[0], command))
        }
        return words
    }

    /// The words that may follow the first one.
    private func secondWords(_ first: String) -> String {
        Command.family(first).map { $0.words[1] }.joined(separator: " ")
    }

    private var interviews: String { secondWords(Command.interview.name) }

    private func options(_ command: Command) -> String { command.options.map(\.name).joined(separator: " ") }

    private var languages: String { Language.allCases.map(\.code).joined(separator: " ") }

    /// The katas are the folders in the nearest `Exercises`: a shell finds them without starting the grader. A name with a
    /// dot is a file.
    private static let katas = """
        _grader_katas() {
            local folder=$PWD
            while [ ! -d "$folder/Exercises" ] && [ "$folder" != / ]; do folder=$(dirname "$folder"); done
            [ -d "$folder/Exercises" ] && command ls "$folder/Exercises" | grep -v "[.]"
        }
        """

    private var bash: String {
        let cases = Command.all.map { "        '\($0.name)') options='\(options($0))' ;;" }.joined(
            separator: "\n")
        return """
            \(Self.katas)
            _grader() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} options=
                COMPREPLY=()
                if [ "$COMP_CWORD" -eq 1 ]; then
                    case $word in
                        -*) COMPREPLY=($(compgen -W '\(options(.watch))' -- "$word")) ;;
                        *) COMPREPLY=($(compgen -W '\(commands)' -- "$word")) ;;
                    esac
                    return
                fi
                if [ "$COMP_CWORD" -gt 2 ]; then
                    case "$command ${COMP_WORDS[2]}" in
                        \(alternatives { $0.words.count == 2 })) command="$command ${COMP_WORDS[2]}" ;;
                    esac
                fi
                case "$command $before" in
            \(valuesInBash)
                esac
                case $before in
            \(values { "COMPREPLY=($(compgen -W '\($0)' -- \"$word\"));" })
                    \(options { $0 == .folder })) COMPREPLY=($(compgen -d -- "$word")); return ;;
                    \(options { $0 == .file })) COMPREPLY=($(compgen -f -- "$word")); return ;;
                    \(otherOptions)) return ;;
                esac
                case $command in
            \(cases)
                esac
                case $word in
                    -*) COMPREPLY=($(compgen -W "$options" -- "$word")); return ;;
                esac
                case $command in
                    \(takesKatas)) COMPREPLY=($(compgen -W "$(_grader_katas)" -- "$word")) ;;
                    \(takesFolders)) COMPREPLY=($(compgen -d -- "$word")) ;;
                    interview)
                        if [ "$before" = --resume ]; then COMPREPLY=($(compgen -d -- "$word"))
                        elif [ "$COMP_CWORD" -eq 2 ]; then COMPREPLY=($(compgen -W '\(interviews)' -- "$word")); fi ;;
                    kata) COMPREPLY=($(compgen -W '\(secondWords("kata"))' -- "$word")) ;;
                    language) COMPREPLY=($(compgen -W '\(languages)' -- "$word")) ;;
                    completion) COMPREPLY=($(compgen -W '\(Shell.allCases.map(\.rawValue).joined(separator: " "))' -- "$word")) ;;
                    help) COMPREPLY=($(compgen -W '\(commands)' -- "$word")) ;;
                esac
            }
            complete -F _grader grader

            """
    }

    private var valuesInBash: String {
        valuesOfCommands(
            { "COMPREPLY=($(compgen -W '\($0)' -- \"$word\"));" }, file: "COMPREPLY=($(compgen -f -- \"$word\"));")
    }

    private var zsh: String {
        let described = firstWords.map { "    '\($0.word):\(quoted(strings($0.command.summary)))'" }.joined(
            separator: "\n")
        let cases = Command.all.map { "        '\($0.name)') options=(\(options($0))) ;;" }.joined(
            separator: "\n")
        return """
            #compdef grader
            \(Self.katas)
            _grader() {
                local -a commands options
                commands=(
            \(described)
                )
                if (( CURRENT == 2 )); then
                    if [[ ${words[CURRENT]} == -* ]]; then compadd -- \(options(.watch))
                    else _describe command commands; fi
                    return
                fi
                local command=${words[2]}
                if (( CURRENT > 3 )); then
                    case "${words[2]} ${words[3]}" in
                        \(alternatives { $0.words.count == 2 })) command="${words[2]} ${words[3]}" ;;
                    esac
                fi
                case "$command ${words[CURRENT-1]}" in
            \(valuesOfCommands({ "compadd \($0);" }, file: "_files;"))
                esac
                case ${words[CURRENT-1]} in
            \(values { "compadd \($0);" })
                    \(options { $0 == .folder })) _files -/; return ;;
                    \(options { $0 == .file })) _files; return ;;
                    \(otherOptions)) return ;;
                esac
                case $command in
            \(cases)
                esac
                if [[ ${words[CURRENT]} == -* ]]; then
                    compadd -- $options
                    return
                fi
                case $command in
                    \(takesKatas)) compadd -- ${(f)"$(_grader_katas)"} ;;
                    \(takesFolders)) _files -/ ;;
                    interview)
                        if [[ ${words[CURRENT-1]} == --resume ]]; then _files -/
                        elif (( CURRENT == 3 )); then compadd \(interviews); fi ;;
                    kata) compadd \(secondWords("kata")) ;;
                    language) compadd \(languages) ;;
                    completion) compadd \(Shell.allCases.map(\.rawValue).joined(separator: " ")) ;;
                    help) _describe command commands ;;
                esac
            }
            compdef _grader grader

            """
    }

    private var fish: String {
        var lines = [
            "function __grader_katas",
            "    set -l folder $PWD",
            "    while not test -d $folder/Exercises; and test $folder != /",
            "        set folder (dirname $folder)",
            "    end",
            "    test -d $folder/Exercises; and command ls $folder/Exercises | grep -v '[.]'",
            "end",
            "complete -c grader -f",
        ]
        for (word, command) in firstWords {
            let about = "-d '\(quoted(strings(command.summary)))'"
            lines.append("complete -c grader -n __fish_use_subcommand -a \(word) \(about)")
        }
        lines += Command.watch.options.map {
            "complete -c grader -n __fish_use_subcommand -l \($0.name.dropFirst(2))"
        }
        for command in Command.all {
            let isMeant = fishCondition(command)
            if command.words.count == 2 {
                let about = "-d '\(quoted(strings(command.summary)))'"
                lines.append(
                    "complete -c grader -n '\(fishCondition(first: command.words[0]))' -a \(command.words[1]) \(about)")
            }
            for option in command.options {
                let name = option.name.dropFirst(2)
                var line = "complete -c grader -n '\(isMeant)' -l \(name)"
                switch option.value {
                case .none: break
                case .words(let words): line += " -x -a '\(words.joined(separator: " "))'"
                case .folder, .file: line += " -r -F"
                case .text: line += " -x"
                }
                lines.append(line)
            }
            let operands: String? =
                switch command.operands.kind {
                case .katas: "(__grader_katas)"
                case .folders: "(__fish_complete_directories)"
                case .language: languages
                case .shell: Shell.allCases.map(\.rawValue).joined(separator: " ")
                case .command: commands
                case .other: nil
                }
            if let operands {
                lines.append("complete -c grader -n '\(isMeant)' -a '\(operands)'")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Whether the command is what was typed so far.
    private func fishCondition(_ command: Command) -> String {
        guard command.words.count == 2 else { return fishCondition(first: command.name) }
        return command.words.map { "__fish_seen_subcommand_from \($0)" }.joined(separator: "; and ")
    }

    /// Whether the word was typed, and none that may follow it.
    private func fishCondition(first word: String) -> String {
        let seen = "__fish_seen_subcommand_from \(word)"
        let seconds = secondWords(word)
        return seconds.isEmpty ? seen : seen + "; and not __fish_seen_subcommand_from \(seconds)"
    }

    /// The options with such a value, as the pattern of a shell's `case`.
    private func options(_ isMeant: (Option.Value) -> Bool) -> String {
        Option.all.filter { isMeant($0.value) }.map(\.name).joined(separator: "|")
    }

    /// Likewise those whose value cannot be completed.
    private var otherOptions: String {
        options { if case .text = $0 { true } else { false } }
    }

    /// For each option whose value is one of a few words, what the shell does, as a branch of its `case`.
    private func values(_ action: (String) -> String) -> String {
        Option.all.compactMap { option in
            guard case .words(let words) = option.value else { return nil }
            return "        \(option.name)) \(action(words.joined(separator: " "))) return ;;"
        }.joined(separator: "\n")
    }

    /// Likewise for each option that takes other values with one command than elsewhere.
    private func valuesOfCommands(_ action: (String) -> String, file: String) -> String {
        Command.all.flatMap { command in
            command.options.compactMap { option in
                let value = option.value
                guard value != Option(named: option.name)?.value else { return nil }
                let branch = "        '\(command.name) \(option.name)')"
                let action = if case .words(let words) = value { action(words.joined(separator: " ")) } else { file }
                return "\(branch) \(action) return ;;"
            }
        }.joined(separator: "\n")
    }

    /// Within single quotes of each of the shells.
    private func quoted(_ text: String) -> String {
        text.replacing("'", with: "’").replacing(":", with: "\\:")
    }
}
