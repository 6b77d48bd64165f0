import Testing
import Workbook

@testable import grader

@Suite("A command line")
struct CommandLineRequestTests {
    private func mistake(_ arguments: String...) -> CommandLineRequest.Mistake? {
        do throws(CommandLineRequest.Mistake) {
            _ = try CommandLineRequest(arguments)
            return nil
        } catch {
            return error
        }
    }

    @Test("The program's name alone is a request without a command")
    func bare() throws {
        #expect(try CommandLineRequest([]).command == nil)
        #expect(try CommandLineRequest(["--language", "ko"]).language == .korean)
    }

    @Test("Options may come anywhere, with a space or an equals sign")
    func options() throws {
        let request = try CommandLineRequest(
            ["--seed=7", "check", "FirstValue", "--json", "AsyncMap", "--workbook", "there", "--no-cache"])
        #expect(request.command == .check)
        #expect(request.operands == ["FirstValue", "AsyncMap"])
        #expect(request.seed == 7)
        #expect(request.json)
        #expect(!request.usesCache)
        #expect(request.sandboxed)
        #expect(request.workbook == "there")
    }

    @Test("Only for watching a session the option --observer has a value: the observer's name")
    func observer() throws {
        for arguments in [
            ["interview", "watch", "one", "--observer", " Ann Lee "],
            ["interview", "watch", "--observer=Ann Lee", "one"],
            ["--observer", "Ann Lee", "interview", "watch", "one"],
            ["interview", "--observer", "Ann Lee", "watch", "one"],
        ] {
            let request = try CommandLineRequest(arguments)
            #expect(request.command == .interviewWatch && request.operands == ["one"], "\(arguments)")
            #expect(request.observer == "Ann Lee" && !request.showsObserver)
        }
        let report = try CommandLineRequest(["interview", "report", "--observer", "watch"])
        #expect(report.operands == ["watch"] && report.showsObserver && report.observer == nil)
        #expect(mistake("interview", "watch", "one", "--observer") == .missingValue(.observer))
        #expect(mistake("interview", "watch", "one", "--observer", "/..") == .valueNotUnderstood(.observer, "/.."))
        #expect(mistake("interview", "report", "one", "--observer=Ann") == .valueNotWanted(.observer))
    }

    @Test("An order of steps is a text of words, or empty")
    func schedule() throws {
        #expect(try CommandLineRequest(["check", "K", "--schedule", "A4>C C99>B"]).schedule == "A4>C C99>B")
        #expect(try CommandLineRequest(["check", "K", "--schedule", ""]).schedule == "")
        #expect(try CommandLineRequest(["check", "K"]).schedule == nil)
        #expect(mistake("check", "K", "--schedule") == .missingValue(.schedule))
        #expect(mistake("check", "K", "--schedule", "4") == .valueNotUnderstood(.schedule, "4"))
        #expect(
            mistake("check", "K", "--schedule", "", "--submission", "s") == .optionsTogether(.schedule, .submission))
        #expect(mistake("hint", "K", "--schedule", "") == .optionOfAnotherCommand(.schedule, .hint))
    }

    @Test("After `--`, every argument is a name")
    func dashes() throws {
        #expect(try CommandLineRequest(["check", "--", "--json"]).operands == ["--json"])
    }

    @Test("--help with a command asks for the help of that command")
    func help() throws {
        let request = try CommandLineRequest(["reset", "--help"])
        #expect(request.command == .help)
        #expect(request.operands == ["reset"])
        #expect(try CommandLineRequest(["-h"]).command == .help)
        #expect(try CommandLineRequest(["--version"]).command == .version)
    }

    @Test("A mistake is named, with what was probably meant")
    func mistakes() {
        #expect(mistake("chek") == .unknownCommand("chek", nearest: .check))
        #expect(mistake("zzz") == .unknownCommand("zzz", nearest: nil))
        #expect(mistake("check", "--jsn") == .unknownOption("--jsn", nearest: .json))
        #expect(mistake("kata") == .unknownCommand("kata", nearest: .kataNew))
        #expect(mistake("kata", "verfy") == .unknownCommand("kata verfy", nearest: .kataVerify))
        #expect(mistake("kata", "new") == .missingOperand(.kataNew))
        #expect(mistake("kata", "verify", "--json", "--watch") == .optionsTogether(.json, .watch))
        #expect(mistake("kata", "verify", "--runs", "0") == .numberNotUnderstood(.runs, "0", 1...1000))
        #expect(mistake("handout", "x", "--with-tests", "all") == .valueNotUnderstood(.withTests, "all"))
        #expect(mistake("list", "--seed", "3") == .optionOfAnotherCommand(.seed, .list))
        #expect(mistake("--no-cache") == .optionOfAnotherCommand(.noCache, .list))
        #expect(mistake("check", "--seed") == .missingValue(.seed))
        #expect(mistake("check", "--workbook=") == .missingValue(.workbook))
        #expect(mistake("check", "--seed", "-1") == .seedIsNoNumber("-1"))
        #expect(mistake("check", "--json=yes") == .valueNotWanted(.json))
        #expect(mistake("list", "--language", "Koraen") == .unknownLanguage("Koraen", nearest: .korean))
        #expect(mistake("language", "tlhIngan Hol") == .unknownLanguage("tlhIngan Hol", nearest: nil))
        #expect(mistake("completion", "tcsh") == .unknownShell("tcsh"))
        #expect(mistake("reset") == .missingOperand(.reset))
        #expect(mistake("grade") == .missingOperand(.grade))
        #expect(mistake("grade", "class") == .missingOption(.report, .grade))
        #expect(mistake("reset", "A", "B") == .operandNotWanted("B", .reset))
        #expect(mistake("help", "chek") == .unknownCommand("chek", nearest: .check))
    }

    @Test("A command of two words is one command, also for help")
    func twoWords() throws {
        let request = try CommandLineRequest(["interview", "compare", "one", "two", "--blind"])
        #expect(request.command == .interviewCompare)
        #expect(request.operands == ["one", "two"])
        #expect(request.blind)
        #expect(request.showsSolutions)
        #expect(try !CommandLineRequest(["interview", "compare", "one", "--no-solution"]).showsSolutions)
        #expect(try CommandLineRequest(["help", "interview", "report"]).operands == ["interview", "report"])
        #expect(try CommandLineRequest(["interview", "report", "--help"]).operands == ["interview", "report"])
        #expect(mistake("help", "check", "list") == .operandNotWanted("list", .help))
    }

    @Test("A session's report has what is private only if it is asked for, a comparison unless it is left out")
    func privately() throws {
        let report = try CommandLineRequest(["interview", "report", "one"])
        #expect(!report.showsObserver && !report.showsSolutions)
        let asked = try CommandLineRequest(["interview", "report", "one", "--observer", "--solution"])
        #expect(asked.showsObserver && asked.showsSolutions)
        // What earlier versions needed is understood.
        let former = try CommandLineRequest(["interview", "report", "one", "--no-observer", "--no-solution"])
        #expect(!former.showsObserver && !former.showsSolutions)
        #expect(try CommandLineRequest(["interview", "compare", "one"]).showsObserver)
        #expect(try !CommandLineRequest(["interview", "compare", "one", "--no-observer"]).showsObserver)
        #expect(
            mistake("interview", "report", "one", "--observer", "--no-observer")
                == .optionsTogether(.observer, .noObserver))
        #expect(
            mistake("interview", "compare", "one", "--observer")
                == .optionOfAnotherCommand(.observer, .interviewCompare))
    }

    @Test("A session begins with settings of its own, or is resumed with its old settings")
    func interview() throws {
        let request = try CommandLineRequest([
            "interview", "--count", "3", "--seed", "5", "--minutes", "20", "--candidate", " 안나 ", "--hints", "0",
        ])
        #expect((request.count, request.seed, request.minutes, request.hints) == (3, 5, 20, 0))
        #expect(request.candidate == "안나")
        #expect(try CommandLineRequest(["interview", "--resume"]).resumes)
        #expect(try CommandLineRequest(["interview", "--resume", "there"]).operands == ["there"])
        #expect(mistake("interview", "repot", "there") == .unknownCommand("interview repot", nearest: .interviewReport))
        #expect(mistake("interview", "--katas", "A", "--count", "2") == .optionsTogether(.katas, .count))
        #expect(mistake("interview", "--resume", "--minutes", "3") == .optionsTogether(.minutes, .resume))
        #expect(mistake("interview", "--resume", "one", "two") == .operandNotWanted("two", .interview))
        #expect(mistake("interview", "--minutes", "0") == .numberNotUnderstood(.minutes, "0", 1...1440))
        #expect(mistake("interview", "--minutes", "1441") == .numberNotUnderstood(.minutes, "1441", 1...1440))
        #expect(mistake("interview", "--hints", "-1") == .numberNotUnderstood(.hints, "-1", 0...Int.max))
        #expect(try CommandLineRequest(["interview", "--no-pause"]).pauseMinutes == 0)
        #expect(try CommandLineRequest(["interview", "--pause", "5"]).pauseMinutes == 5)
        #expect(mistake("interview", "--pause", "5", "--no-pause") == .optionsTogether(.pause, .noPause))
        #expect(mistake("interview", "--resume", "--no-pause") == .optionsTogether(.noPause, .resume))
        #expect(try CommandLineRequest(["interview", "--resume", "--in", "ours"]).parent == "ours")
        #expect(mistake("interview", "--resume", "one", "--in", "ours") == .operandNotWanted("one", .interview))
        #expect(mistake("interview", "--candidate", "  ") == .missingValue(.candidate))
        #expect(mistake("interview", "report") == .missingOperand(.interviewReport))
        #expect(
            mistake("interview", "report", "one", "--minutes", "3")
                == .optionOfAnotherCommand(.minutes, .interviewReport))
    }

    @Test("Every command is recognised, with its options", arguments: Command.all)
    func everyCommand(command: Command) throws {
        var operands: [String] = []
        if command.operands.count.lowerBound > 0 { operands.append(command == .completion ? "bash" : "one") }
        if command.operands.placeholder.hasSuffix("--report FOLDER") { operands += ["--report", "report"] }
        let request = try CommandLineRequest(command.words.map { $0.uppercased() } + operands)
        #expect(request.command == command)
        #expect(command.options.contains(.language))
    }

    @Test("The table of options has each option of each command, every name once, and so has that of the commands")
    func tables() {
        for command in Command.all {
            #expect(command.isPerformed, "\(command.name)")
            for option in command.options + command.formerOptions {
                #expect(Option.all.contains(option), "\(command.name) \(option.name)")
            }
        }
        #expect(Set(Option.all.map(\.name)).count == Option.all.count)
        #expect(Set(Command.all.map(\.name)).count == Command.all.count)
    }
}
