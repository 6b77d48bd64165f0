import Foundation
import Storage
import TestSupport
import Testing
import Workbook

@Suite("progress.json")
struct ProgressStoreTests {
    private let folder: ScratchFolder
    private let store: ProgressStore

    init() throws {
        folder = try ScratchFolder()
        store = ProgressStore(file: folder(".grader/progress.json"))
    }

    private func put(_ data: Data) throws {
        try FileManager.default.createDirectory(at: folder(".grader"), withIntermediateDirectories: true)
        try data.write(to: store.file)
    }

    @Test("There is no file before the first change, and reading creates none")
    func empty() throws {
        #expect(try store.load().progress == LearnerProgress())
        #expect(try folder.names() == [])
    }

    @Test("What was stored is read again, and the file has its version")
    func roundTrip() throws {
        let kata = Kata(kata: "Debouncer", order: 1, phase: 1, interface: [], tests: [])
        let verdict = Verdict(
            kata: "Debouncer", outcome: .passed, points: 12, maxPoints: 16, seconds: 0.61, diagnostics: [], tests: [])
        let stored = try store.update {
            $0.language = .korean
            $0.record(verdict, of: kata, at: Date())
            $0.katas["Debouncer"]?.hintsShown["T/a()"] = 2
        }
        #expect(try ProgressStore(file: store.file).load() == stored)
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: store.file)) as? [String: Any]
        #expect(object?["schema"] as? Int == 1)
        #expect(object?["language"] as? String == "ko")
        #expect(try folder.names(in: ".grader") == ["progress.json", "progress.json.lock"])
    }

    @Test("A change that changes nothing does not write")
    func unchanged() throws {
        try store.update { $0.language = .thai }
        let before = try FileManager.default.attributesOfItem(atPath: store.file.path)[.systemFileNumber] as? Int
        try store.update { $0.language = .thai }
        #expect(try FileManager.default.attributesOfItem(atPath: store.file.path)[.systemFileNumber] as? Int == before)
    }

    @Test("Eight writers at the same time lose none of each other's changes")
    func writersAtOnce() async throws {
        let store = store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for test in 0..<10 {
                        try store.update { $0.katas["Kata\(writer)", default: .init()].hintsShown["T\(test)"] = 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        let katas = try store.load().progress.katas
        #expect(katas.count == 8)
        #expect(katas.values.allSatisfy { $0.hintsShown.count == 10 })
    }

    static let damage: [(String, Data)] = [
        ("empty", Data()),
        ("cut short", Data(#"{"schema":1,"language":"ko","katas":{"Fir"#.utf8)),
        ("zero bytes", Data(repeating: 0, count: 4096)),
        ("not UTF-8", Data([0xFF, 0xFE, 0x80, 0x7B])),
        ("another text", Data("<html>disk quota exceeded</html>".utf8)),
        ("a list", Data("[]".utf8)),
        ("no version", Data(#"{"katas":{}}"#.utf8)),
        ("an impossible version", Data(#"{"schema":0,"katas":{}}"#.utf8)),
        ("a language that is none", Data(#"{"schema":1,"language":"tlh","katas":{}}"#.utf8)),
        (
            "an outcome that is none",
            Data(#"{"schema":1,"katas":{"A":{"attempts":1,"hintsShown":{},"best":{"outcome":"won"}}}}"#.utf8)
        ),
        ("nested without end", Data(String(repeating: "[", count: 100_000).utf8)),
        ("two texts in one", Data(#"{"schema":1,"katas":{}}{"schema":1,"katas":{}}"#.utf8)),
    ]

    @Test("A damaged file is kept under another name, byte for byte, and work goes on", arguments: damage)
    func damaged(name: String, bytes: Data) throws {
        try put(bytes)
        let contents = try store.update { $0.language = .spanish }
        let kept = try #require(contents.damagedFileKeptAt)
        #expect(kept.lastPathComponent.hasPrefix("progress.json.damaged-"))
        #expect(try Data(contentsOf: kept) == bytes)
        #expect(try store.load().progress == LearnerProgress(language: .spanish))
    }

    @Test("Each damaged file is kept, also two within one second")
    func damagedTwice() throws {
        for text in ["first", "second"] {
            try put(Data(text.utf8))
            #expect(try store.load().damagedFileKeptAt != nil)
        }
        #expect(try folder.names(in: ".grader").filter { $0.contains("damaged") }.count == 2)
    }

    @Test("A folder in the file's place is reported and not moved: a person may have named it by mistake")
    func folderInItsPlace() throws {
        try FileManager.default.createDirectory(at: store.file, withIntermediateDirectories: true)
        #expect(throws: ProgressStore.Problem.unusable(path: store.file.path, .isFolder)) {
            try store.update { $0.language = .thai }
        }
        #expect(try folder.names(in: ".grader").contains(store.file.lastPathComponent))
    }

    @Test("A FIFO in the file's place is moved away too")
    func notAFile() throws {
        try FileManager.default.createDirectory(
            at: store.file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try #require(mkfifo(store.file.path, 0o600) == 0)
        #expect(try store.update { $0.language = .korean }.damagedFileKeptAt != nil)
        #expect(try store.load().progress.language == .korean)
    }

    @Test("A file from a newer version is not changed, with any content")
    func newer() throws {
        let text = Data(#"{"schema":2,"language":{"of":"the future"}}"#.utf8)
        try put(text)
        #expect(throws: ProgressStore.Problem.writtenByNewerProgram(schema: 2)) { try store.load() }
        #expect(throws: ProgressStore.Problem.writtenByNewerProgram(schema: 2)) {
            try store.update { $0.language = .thai }
        }
        #expect(try Data(contentsOf: store.file) == text)
        #expect(try folder.names(in: ".grader").filter { $0.contains("damaged") } == [])
    }

    @Test("A half-written file of a killed grader does no harm")
    func leftovers() throws {
        try put(Data(#"{"schema":1,"katas":{}}"#.utf8))
        try Data("{\"sch".utf8).write(to: folder(".grader/progress.json.new"))
        try store.update { $0.language = .thai }
        #expect(try store.load().progress.language == .thai)
        #expect(try folder.names(in: ".grader") == ["progress.json", "progress.json.lock"])
    }

    @Test("A link to the file stays a link")
    func link() throws {
        try FileManager.default.createDirectory(at: folder(".grader"), withIntermediateDirectories: true)
        let real = folder("elsewhere.json")
        try Data(#"{"schema":1,"katas":{}}"#.utf8).write(to: real)
        try FileManager.default.createSymbolicLink(at: folder(".grader/progress.json"), withDestinationURL: real)
        try ProgressStore(file: folder(".grader/progress.json")).update { $0.language = .thai }
        #expect(try ProgressStore(file: real).load().progress.language == .thai)
        let path = folder(".grader/progress.json").path
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == real.path)
    }

    @Test("A file in the folder's place is reported")
    func folderIsAFile() throws {
        try Data().write(to: folder(".grader"))
        #expect(throws: ProgressStore.Problem.self) { try store.update { $0.language = .thai } }
    }
}
