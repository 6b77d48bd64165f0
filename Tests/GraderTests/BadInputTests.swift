import Foundation
import TestSupport
import Testing
import Workbook

/// Command lines that the program cannot follow: each message says what was wrong and what to type instead.
@Suite("A command line that cannot be understood", .startsPrograms)
struct BadInputTests {
    private let folder: ScratchFolder
    private let workbook: SmallWorkbook

    init() throws {
        folder = try ScratchFolder()
        workbook = try SmallWorkbook(at: folder("workbook"), katas: ["Greeting", "Parting"], sharesCache: false)
    }

    /// What is typed, which part of it the message has to quote, and which correct name the message has to suggest.
    private static let table: [(typed: [String], wrong: String, right: String)] = [
        (["chek"], "chek", "`check`"),
        (["zzz"], "zzz", "help`"),
        (["Greeting"], "Greeting", "check Greeting`"),
        (["exercises/greeting/GREETING.swift"], "GREETING.swift", "check Greeting`"),
        (["greting"], "greting", "`check Greeting`"),
        (["show", "greting"], "greting", "`Greeting`"),
        (["show", "part"], "part", "`Parting`"),
        (["check", "Greeting", "nothing"], "nothing", "Greeting, Parting"),
        (["show"], "show", "show KATA`"),
        (["show", ""], "show", "show KATA`"),
        (["show", "Greeting", "Parting"], "`Parting`", "`show`"),
        (["list", "--jsn"], "--jsn", "`--json`"),
        (["list", "-q"], "-q", "help`"),
        (["list", "--json=yes"], "--json", "="),
        (["list", "--seed", "3"], "--seed", "help list`"),
        (["check", "--seed", "-1"], "`-1`", "--seed 42"),
        (["check", "--seed", "99999999999999999999"], "`99999999999999999999`", "18446744073709551615"),
        (["check", "Greeting", "--schedule", "A4-C"], "`A4-C`", "--schedule 'A4>C C99>B'"),
        (["check", "--schedule", "A4>C"], "--schedule", "check KATA --schedule TEXT`"),
        (["check", "Greeting", "Parting", "--schedule", ""], "--schedule", "check KATA --schedule TEXT`"),
        (["check", "--seed", "--no-cache"], "--seed", "`--seed N`"),
        (["check", "--workbook"], "--workbook", "--workbook FOLDER`"),
        (["check", "--format", "junit"], "--format", "--submission FOLDER --format FORMAT`"),
        (["check", "--submission", ".", "--format", "pdf"], "`pdf`", "junit"),
        (["check", "--policy", "p.json"], "--policy", "--submission FOLDER --policy FILE`"),
        (["check", "--submission", ".", "--policy", "none.json"], "`none.json`", "`policy.json`"),
        (["grade", ".", "--report", "r", "--policy", "p.json"], "--policy", "help grade`"),
        (["list", "--language", "Koraen"], "Koraen", "`ko`"),
        (["language", "klingon"], "klingon", "简体中文"),
        (["completion", "tcsh"], "tcsh", "bash, zsh, fish"),
        (["help", "chek"], "chek", "`check`"),
        (["grade", "."], "`--report`", "grade FOLDER --report FOLDER`"),
        (["list", "--language", "fr"], "`fr`", "简体中文"),
        (["grade", ".", "--report", "r", "--jobs", "none"], "`none`", "--jobs 2"),
        (["grade", ".", "--report", "r", "--shard", "5/4"], "`5/4`", "--shard 1/4"),
        (["grade", ".", "--report", "r", "--format", "pdf"], "`pdf`", "csv, html"),
        (["grade", ".", "--report", "r", "--katas", ","], "--katas", "--katas A,B`"),
        (["watch"], "grader", "grader check`"),
    ]

    @Test("Each message quotes what was wrong and suggests the nearest correct name", arguments: Language.allCases)
    func sentences(language: Language) async throws {
        var sentences: Set<String> = []
        for (typed, wrong, right) in Self.table {
            let run = try await Program.run(
                typed, in: workbook.folder, environment: ["LANG": "\(language.code).UTF-8"])
            let said = "\(typed): \(run.text)"
            let right = right.replacingOccurrences(of: ", ", with: language.listSeparator)
            #expect(run.code == 2, "\(said)")
            #expect(run.output == "", "\(said)")
            #expect(run.errors.contains(wrong) && run.errors.contains(right), "\(said)")
            #expect(run.errors.split(separator: "\n").count == 1, "\(said)")
            #expect(!run.errors.contains("%") && !run.errors.contains("usage."), "\(said)")
            sentences.insert(run.errors)
        }
        #expect(sentences.count > 20)
        // Nothing was created, moved or written.
        #expect(!FileManager.default.fileExists(atPath: workbook.folder.appendingPathComponent(".grader").path))
        #expect(!FileManager.default.fileExists(atPath: workbook.folder.appendingPathComponent("r").path))
    }

    @Test("A folder that is not a workbook is named, with the workbook that contains it")
    func notAWorkbook() async throws {
        let above = try await Program.run(["list", "--workbook", "Exercises/Greeting"], in: workbook.folder)
        #expect(above.code == 2)
        #expect(above.errors.contains("`Exercises/Greeting`"))
        #expect(above.errors.contains("Did you mean `\(workbook.folder.path)`?"))
        let nowhere = try await Program.run(["list", "--workbook", folder.url.path], in: workbook.folder)
        #expect(nowhere.code == 2)
        #expect(nowhere.errors.contains("Specify the folder that has one."))
    }

    @Test("A folder that --progress names is not moved, and one message says so")
    func progressFolder() async throws {
        let run = try await Program.run(["check", "--progress", folder.url.path], in: workbook.folder)
        #expect(run.code == 3)
        #expect(run.errors.contains("it is a folder"))
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(FileManager.default.fileExists(atPath: workbook.folder.path))
    }

    @Test("Control codes in what was typed do not reach the terminal")
    func control() async throws {
        let run = try await Program.run(["show", "\u{1B}[31mred"], in: workbook.folder)
        #expect(run.code == 2)
        #expect(!run.errors.contains("\u{1B}"))
        #expect(run.errors.contains("␛[31mred"))
        let ascii = try await Program.run(["show", "\u{1B}[31mred"], in: workbook.folder, environment: ["LANG": "C"])
        #expect(ascii.errors.contains("^[[31mred"))
    }

    @Test("In a C locale the names of the languages are in ASCII too")
    func languagesInASCII() async throws {
        let run = try await Program.run(["language", "klingon"], in: workbook.folder, environment: ["LANG": "C"])
        #expect(run.errors.contains("ko (Korean)"))
        #expect(run.errors.utf8.allSatisfy { $0 < 0x80 })
    }
}
