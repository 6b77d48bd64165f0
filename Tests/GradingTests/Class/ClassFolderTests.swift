import Storage
import Testing
import Workbook

@testable import Grading

@Suite("Who handed in what")
struct ClassRollTests {
    private func roll(
        _ folders: [String] = [], files: [String] = [], gradescope: String? = nil,
        leftOut: [(entry: String?, path: String)] = []
    ) -> [SubmissionSource] {
        ClassFolder.sources(
            of: folders.map { FolderEntry(name: $0, kind: .folder) } + files.map { FolderEntry(name: $0, kind: .file) },
            gradescope: gradescope, leftOut: leftOut)
    }

    @Test("A folder or an archive has the name of its learner")
    func plain() {
        let roll = roll(["ana"], files: ["bob.zip", "cleo.tar.gz", "dan.tgz"])
        #expect(roll.map(\.learner) == ["ana", "bob", "cleo", "dan"])
        #expect(roll.allSatisfy { $0.problem == nil })
    }

    @Test("Moodle: folders, and files that belong together")
    func moodle() {
        let roll = roll(
            ["Jane Doe_12345_assignsubmission_file_"],
            files: [
                "Ana María_7_assignsubmission_file_FirstValue.swift",
                "Ana María_7_assignsubmission_file_AsyncMap.swift",
            ])
        #expect(roll.map(\.learner) == ["Ana María", "Jane Doe"])
        #expect(roll[0].parts.map(\.name) == ["AsyncMap.swift", "FirstValue.swift"])
        #expect(roll[0].sources.count == 2)
    }

    @Test("Moodle: folder names of newer versions, with many kinds of learners' names")
    func moodleNames() {
        let names = ["O'Brien, \"Pat\"_1", "김 철수_2", "a_b_3", "Participant 7_4", "two\nlines_5"]
        let roll = roll(names.map { "\($0)_assignsubmission_file" })
        #expect(roll.map(\.learner) == ["O'Brien, \"Pat\"", "Participant 7", "a_b", "two\nlines", "김 철수"])
    }

    @Test("Canvas: a class of single files, some of them late; the files of one learner are one submission")
    func canvas() {
        let roll = roll(files: [
            "doejane_11_22_FirstValue-1.swift", "doejane_11_23_AsyncMap.swift", "doejane_11_24_notes.pdf",
            "kim_LATE_5_6_work.zip", "kim_8_9_FirstValue.swift",
        ])
        #expect(roll.map(\.learner) == ["doejane", "kim (5)", "kim (8)"])
        #expect(roll[0].parts.map(\.name) == ["FirstValue.swift", "AsyncMap.swift", "notes.pdf"])
        #expect(roll[0].sources.count == 3)
        #expect(roll[1].parts.map(\.name) == ["work.zip"])
    }

    @Test("Canvas: if a file was handed in again, the last one counts")
    func canvasAgain() {
        let entries = [
            "doejane_11_20_FirstValue-2.swift", "doejane_11_21_FirstValue-10.swift", "doejane_11_22_FirstValue.swift",
        ]
        let roll = roll(files: entries)
        #expect(roll.map(\.learner) == ["doejane"])
        #expect(roll[0].parts.map(\.entry) == [entries[1]])
        #expect(roll[0].sources == entries)
    }

    @Test("What each platform knows of a learner is kept: numbers, mail, and who is late")
    func identities() {
        let yaml = """
            submission_101:
              :submitters:
              - :name: Jane Doe
                :sid: '31'
                :email: jane@example.org
              - :name: Kim Lee
                :sid: 32
            """
        let roll = roll(
            ["Ana María_7_assignsubmission_file_", "submission_101", "plain"],
            files: ["doejane_11_22_FirstValue.swift", "doejane_LATE_11_23_AsyncMap.swift", "kim_8_9_FirstValue.swift"],
            gradescope: yaml)
        let identities = Dictionary(uniqueKeysWithValues: roll.map { ($0.learner, $0.identity) })
        #expect(
            identities == [
                "Ana María": PlatformIdentity(number: "7"), "doejane": PlatformIdentity(number: "11", isLate: true),
                "kim": PlatformIdentity(number: "8"), "plain": nil,
                "Jane Doe, Kim Lee": PlatformIdentity(number: "31, 32", email: "jane@example.org"),
            ])
    }

    @Test("In Moodle's export, a file name does not give its learner another learner's number")
    func moodleNumbers() {
        let roll = roll(files: [
            "Eve_12_assignsubmission_file_x_777_assignsubmission_file_FirstValue.swift",
            "Eve_12_assignsubmission_file_1_2_3_AsyncMap.swift", "Jane_777_assignsubmission_file_FirstValue.swift",
        ])
        #expect(roll.map(\.learner) == ["Eve", "Jane"])
        #expect(roll.map(\.identity) == [PlatformIdentity(number: "12"), PlatformIdentity(number: "777")])
        #expect(roll[0].parts.map(\.name) == ["1_2_3_AsyncMap.swift", "x_777_assignsubmission_file_FirstValue.swift"])
    }

    @Test(
        "In Canvas's export, a file name does not give its learner another learner's number",
        arguments: [[], ["jane_777_35_FirstValue.swift"]])
    func canvasNumbers(others: [String]) {
        let roll = roll(files: ["eve_12_34_x_777_assignsubmission_file_FirstValue.swift"] + others)
        #expect(roll.map(\.learner) == ["eve"] + others.map { _ in "jane" })
        #expect(roll[0].identity == PlatformIdentity(number: "12"))
        #expect(roll[0].parts.map(\.name) == ["x_777_assignsubmission_file_FirstValue.swift"])
    }

    @Test("In a folder that is mostly the export of one platform, names in the form of another platform say nothing")
    func onePlatform() {
        let yaml = "submission_1:\n  :submitters:\n  - :name: Jane\nsubmission_2:\n  :submitters:\n  - :name: Kim\n"
        let names = ["x_777_assignsubmission_file_"]
        let gradescope = roll(["submission_1", "submission_2"] + names, gradescope: yaml)
        #expect(gradescope.map(\.learner) == ["Jane", "Kim"] + names)
        let clones = ["katas-octocat", "katas-hubot"]
        let gitHub = ClassFolder.sources(
            of: (clones + names).map { FolderEntry(name: $0, kind: .folder) },
            repositories: GitHubClassroom(repositories: clones))
        #expect(gitHub.map(\.identity?.github) == ["hubot", "octocat", nil])
        for roll in [gradescope, gitHub] { #expect(roll.allSatisfy { $0.identity?.number == nil }) }
    }

    @Test("A file that was not opened is reported at its learner, as far as it can be told whose it is")
    func leftOut() {
        let entries = [
            "Eve_12_assignsubmission_file_FirstValue.swift", "Jane_7_assignsubmission_file_FirstValue.swift",
        ]
        let escaping = "../Jane_7_assignsubmission_file_FirstValue.swift"
        let roll = roll(
            files: entries,
            leftOut: [
                ("Eve_12_assignsubmission_file_notes", "Eve_12_assignsubmission_file_notes/../todo.txt"),
                (entries[0], "\(entries[0])/x"), (nil, escaping),
            ])
        #expect(roll.map(\.learner) == [escaping, "Eve", "Jane"])
        #expect(roll.map(\.identity?.number) == [nil, "12", "7"])
        #expect(roll.map(\.leftOut.count) == [1, 2, 0])
        #expect(roll.map(\.parts.count) == [0, 1, 1])
        #expect(roll[1].sources == [entries[0], "Eve_12_assignsubmission_file_notes"])
    }

    @Test("The time of a submission is the time that the platform has; the files of a clone do not have it")
    func times() {
        let yaml = """
            submission_101:
              :submitters:
              - :name: Jane Doe
              :created_at: 1970-01-02 00:00:05.348137000 Z
            submission_102:
              :submitters:
              - :name: Kim Lee
              :created_at: '1970-01-01T19:00:05-05:00'
            """
        let platforms = roll(
            ["submission_101", "submission_102", "plain"],
            files: ["ana_11_22_FirstValue.swift", "doe_LATE_12_23_AsyncMap.swift", "doe_12_24_FirstValue.swift"],
            gradescope: yaml)
        let times = Dictionary(uniqueKeysWithValues: platforms.map { ($0.learner, $0.time) })
        #expect(
            times == [
                "Jane Doe": SubmissionTime(seconds: 86_405), "Kim Lee": SubmissionTime(seconds: 86_405), "plain": nil,
                "ana": SubmissionTime(isMarkedLate: false), "doe": SubmissionTime(isMarkedLate: true),
            ])
        #expect(platforms.allSatisfy { $0.filesHaveTimes })
        let clone = ClassFolder.sources(
            of: [FolderEntry(name: "katas-octocat", kind: .folder)],
            repositories: GitHubClassroom(repositories: ["katas-octocat"]))
        #expect(clone.map(\.filesHaveTimes) == [false])
    }

    @Test(
        "GitHub Classroom: the user is what follows the assignment's name",
        arguments: [
            ("katas-submissions", ["katas-octocat", "katas-hub-bot"], ["octocat", "hub-bot"]),
            ("anything", ["katas-octocat", "katas-hubot"], ["octocat", "hubot"]),
            ("katas-submissions", ["katas-octocat"], ["octocat"]), ("anything", ["katas-octocat"], [nil]),
            ("anything", ["ana", "bob"], [nil, nil]),
        ])
    func githubUsers(folder: String, repositories: [String], users: [String?]) {
        let classroom = GitHubClassroom(repositories: repositories, in: folder)
        #expect(repositories.map(classroom.user) == users)
    }

    @Test(
        "A folder of several learners is not taken for one learner's",
        arguments: [
            (["ana/FirstValue.swift", "bob/work/FirstValue.swift"], true),
            (["ana.zip", "bob.zip"], true),
            (["Ana_1_assignsubmission_file_", "Bob_2_assignsubmission_file_"], true),
            (["Exercises/FirstValue/FirstValue.swift", "Solutions/FirstValue/FirstValue.swift"], false),
            (["FirstValue/FirstValue.swift", "AsyncMap/AsyncMap.swift"], false),
            (["FirstValue.zip", "AsyncMap.zip"], false), (["FirstValue.swift", "old/FirstValue.swift"], false),
        ])
    func levels(paths: [String], holdsSeveral: Bool) {
        let paths = paths.map { $0.split(separator: "/").map(String.init) }
        #expect(ClassLevel.holdsSeveral(paths, katas: ["FirstValue", "AsyncMap"]) == holdsSeveral)
    }

    @Test("In a name without a platform's form, the word before a number is not a learner")
    func plainNumbers() {
        #expect(roll(files: ["hw_1_alice.zip", "hw_1_bob.zip"]).map(\.learner) == ["hw_1_alice", "hw_1_bob"])
    }

    @Test("Gradescope: the names are in the metadata, which is not a submission")
    func gradescope() {
        let yaml = """
            ---
            submission_101:
              :submitters:
              - :name: Jane Doe
                :sid: '1'
              - :name: 'Kim ''K'' Lee'
                :email: kim@example.org
              :created_at: 2026-11-21 10:00:00
              :results:
                :output: ":name: Mallory"
                :tests:
                - :name: FirstValue
                  :score: 1.0
            submission_102:
              :submitters:
              - :name: "Ana \\"la\\" Jos\\u00e9"
            """
        let roll = roll(["submission_101", "submission_102"], files: ["submission_metadata.yml"], gradescope: yaml)
        #expect(roll.map(\.learner) == ["Ana \"la\" José", "Jane Doe, Kim 'K' Lee"])
    }

    @Test("GitHub Classroom: a learner has the whole name of the folder")
    func githubClassroom() {
        #expect(roll(["katas-octocat", "katas-hubot"]).map(\.learner) == ["katas-hubot", "katas-octocat"])
    }

    @Test("Two learners with one name get different names, also if upper and lower case are the same")
    func namesakes() {
        let roll = roll(
            ["Jane Doe_1_assignsubmission_file_", "Jane Doe_2_assignsubmission_file_", "bob"], files: ["Bob.zip"])
        #expect(roll.map(\.learner) == ["Bob (Bob.zip)", "Jane Doe (1)", "Jane Doe (2)", "bob (bob)"])
    }

    @Test("Two folders whose names only look the same are two learners, in the same order everywhere")
    func lookalikes() {
        let names = ["Jos\u{E9}", "Jose\u{301}"]
        let one = roll(names)
        #expect(one.count == 2 && one.allSatisfy { $0.parts.count == 1 } && one[0].learner != one[1].learner)
        #expect(one == roll(names.reversed()))
    }

    @Test("Hidden files are skipped, and everything else that is not a submission is reported")
    func others() {
        let entries = [
            FolderEntry(name: ".DS_Store", kind: .file), FolderEntry(name: "__MACOSX", kind: .folder),
            FolderEntry(name: "notes.txt", kind: .file), FolderEntry(name: "FirstValue.swift", kind: .file),
            FolderEntry(name: "link", kind: .link), FolderEntry(name: "pipe", kind: .other),
            FolderEntry(name: "a\u{FFFD}", kind: .folder, nameIsText: false),
        ]
        let problems = ClassFolder.sources(of: entries).map { [$0.learner, $0.problem?.key.rawValue] }
        #expect(
            problems == [
                ["FirstValue.swift", "notASubmission"], ["a\u{FFFD}", "entryNameNotText"], ["link", "fileNotRegular"],
                ["notes.txt", "notASubmission"], ["pipe", "fileNotRegular"],
            ])
    }
}

@Suite("A kata's file in a submission")
struct KataFinderTests {
    private func found(_ paths: String..., links: [String] = []) -> KataFinder.Found {
        let files = paths.map { SubmittedItem(path: $0, kind: .file, location: .disk($0)) }
        return KataFinder.find(
            "Map", in: files + links.map { SubmittedItem(path: $0, kind: .link, location: .disk($0)) })
    }

    @Test("is found in any folder, except in hidden ones")
    func anywhere() {
        let item = SubmittedItem(path: "a/b/Map.swift", kind: .file, location: .disk("a/b/Map.swift"))
        #expect(found("a/b/Map.swift", ".git/Map.swift", "__MACOSX/a/Map.swift", "a/._Map.swift") == .file(item))
        #expect(found("Other.swift", "AsyncMap.swift", "map.txt") == .missing)
    }

    @Test("is not chosen if there are two")
    func several() {
        let items = ["a/Map.swift", "b/Map.swift"].map { SubmittedItem(path: $0, kind: .file, location: .disk($0)) }
        #expect(found("b/Map.swift", "a/Map.swift") == .several(items))
    }

    @Test(
        "is also found in another letter case, and with what browsers and systems add to a second file",
        arguments: ["map.swift", "MAP.Swift", "Map (1).swift", "Map(12).swift", "Map copy.swift", "a/map 2.swift"])
    func nearly(path: String) {
        let item = SubmittedItem(path: path, kind: .file, location: .disk(path))
        #expect(found("Other.swift", path) == .file(item))
        let exact = SubmittedItem(path: "b/Map.swift", kind: .file, location: .disk("b/Map.swift"))
        #expect(found("b/Map.swift", path) == .file(exact))
    }

    @Test("What was handed in besides is named if it may have been meant: other Swift files, and what is nearly a kata")
    func notUsed() {
        func notUsed(_ paths: [String], used: Set<String>, missing: [String] = []) -> [String] {
            KataFinder.notUsed(
                in: paths.map { SubmittedItem(path: $0, kind: .file, location: .disk($0)) }, used: used,
                missing: missing, known: ["Map", "Merge"])
        }
        let workbook = [
            "Map.swift", "README.md", "Package.swift", "Solutions/Map/Map.swift", "Tests/A.swift", "Merge.swift",
            ".build/x.swift",
        ]
        #expect(notUsed(workbook, used: ["Map.swift"]) == [])
        #expect(notUsed(["Map.swift", "a/Helper.swift"], used: ["Map.swift"]) == ["a/Helper.swift"])
        let other = ["Map.swift", "Merge.swift.txt", "notes.txt"]
        #expect(notUsed(other, used: ["Map.swift"], missing: ["Merge"]) == ["Merge.swift.txt"])
        #expect(notUsed(["hw.7z", "answer.pdf"], used: [], missing: ["Map"]) == ["answer.pdf", "hw.7z"])
    }

    @Test("is the exercise if a whole workbook was handed in")
    func workbook() {
        let item = SubmittedItem(
            path: "w/Exercises/Map/Map.swift", kind: .file, location: .disk("w/Exercises/Map/Map.swift"))
        #expect(found("w/Exercises/Map/Map.swift", "w/Solutions/Map/Map.swift") == .file(item))
        #expect(found("w/Other/Map.swift", "w/Solutions/Map/Map.swift") != .file(item))
    }

    @Test("is not a link")
    func link() {
        #expect(found(links: ["Map.swift"]) == .notRegular("Map.swift"))
    }
}

@Suite("A shard")
struct ShardTests {
    @Test("is written as its number and the number of all shards")
    func text() {
        #expect(Shard("2/5") == Shard(index: 2, count: 5))
        for wrong in ["0/5", "6/5", "1", "1/0", "a/b", "1/2/3", "", "-1/2"] { #expect(Shard(wrong) == nil) }
    }

    @Test("has every learner once, and the same learners also if others are added")
    func partition() {
        let learners = (0..<500).map { "learner \($0)" }
        let shards = (1...7).compactMap { Shard(index: $0, count: 7) }
        for learner in learners { #expect(shards.filter { $0.contains(learner: learner) }.count == 1) }
        let sizes = shards.map { shard in learners.count { shard.contains(learner: $0) } }
        #expect(sizes.allSatisfy { $0 > 40 })
        // Fixed names: on another machine and in a later version each has to be in the same shard.
        #expect(learners.prefix(8).map { learner in shards.first { $0.contains(learner: learner) }?.index } == stable)
    }

    private let stable: [Int?] = [1, 6, 3, 5, 2, 4, 7, 5]

    private func header(_ shard: String?, seed: UInt64 = 1) -> ClassHeader {
        ClassHeader(
            seed: seed, versions: .init(swift: "6.3.1", suites: "x"), shard: shard.flatMap { Shard($0) }, katas: [])
    }

    private func problem(_ shards: ClassHeader...) -> LocalizableMessage? {
        do throws(GradingError) {
            _ = try ClassRecordFile.joined(shards.enumerated().map { ($1, "report \($0)") })
            return nil
        } catch {
            return error.message
        }
    }

    @Test("is merged with all the others, each of them once and graded with the same settings")
    func joins() {
        #expect(problem(header("2/2"), header("1/2")) == nil)
        #expect(problem(header(nil)) == nil)
        #expect(problem(header("1/3"), header("3/3")) == LocalizableMessage(.shardsMissing, "2/3"))
        #expect(problem(header("1/2"), header("1/2")) == LocalizableMessage(.shardTwice, "1/2", "report 0", "report 1"))
        #expect(
            problem(header("1/2"), header("2/2", seed: 2))
                == LocalizableMessage(.shardSeedsDiffer, "report 0", "report 1", "1", "2"))
        // Two whole classes are not parts of one, whatever their seeds are.
        #expect(
            problem(header(nil), header(nil, seed: 2))
                == LocalizableMessage(.shardTwice, "1/1", "report 0", "report 1"))
        #expect(problem(header("1/2"), header("2/3")) == LocalizableMessage(.shardsDiffer, "report 0", "report 1"))
    }
}
