import Foundation
import TestSupport
import Testing
import Workbook

@testable import grader

@Suite("An editor's session with grader lsp", .grades)
struct LanguageServerTests {
    private let folder: ScratchFolder
    private let workbook: SmallWorkbook
    private let file: URL

    init() throws {
        folder = try ScratchFolder()
        workbook = try SmallWorkbook(at: folder("a workbook"))
        file = workbook.learnerFile("Greeting")
    }

    private static let broken = """
        public func greeting(_ name: String) -> String {
            "🚀" + nmae
        }

        """

    private func parameters(_ more: [String: JSONValue] = [:]) -> JSONValue {
        .object(more.merging(["textDocument": .object(["uri": .text(file.absoluteString)])]) { $1 })
    }

    @Test("A compile error, a failure and a right answer are shown on their lines, each for its own version")
    func saves() async throws {
        let client = try ScriptedClient(in: workbook.folder)
        let result = try await client.initialize(["window": .object(["workDoneProgress": .bool(true)])])
        #expect(result["capabilities"]?["textDocumentSync"]?["change"] == .integer(1))
        try client.open(file, SmallWorkbook.stub)
        _ = try await client.next("textDocument/publishDiagnostics")

        try client.change(file, 2, Self.broken)
        #expect(try await client.next("textDocument/publishDiagnostics")["diagnostics"] == .list([]))
        try client.save(file)
        var shown = try await client.next("textDocument/publishDiagnostics")
        #expect(shown["version"] == .integer(2))
        var items = try #require(shown["diagnostics"]?.list)
        #expect(items.first?["severity"] == .integer(1))
        #expect(items.first?["source"] == .text("grader"))
        #expect(items.first?["message"]?.string?.contains("nmae") == true)
        #expect(items.first?["range"]?["start"] == .object(["line": .integer(1), "character": .integer(11)]))

        try client.change(file, 3, SmallWorkbook.passing)
        try client.save(file)
        repeat {
            shown = try await client.next("textDocument/publishDiagnostics")
        } while shown["diagnostics"] == .list([])
        #expect(shown["version"] == .integer(3))
        items = try #require(shown["diagnostics"]?.list)
        #expect(items.map { $0["code"] } == [.text("GreetingXCTests/testStranger")])
        // A robust test, on the name of what it needs.
        #expect(items.first?["severity"] == .integer(2))
        let name = DocumentPlaces.Span(start: .init(line: 0, character: 12), end: .init(line: 0, character: 20))
        #expect(items.first?["range"] == name.json)

        let lens = try await client.request("textDocument/codeLens", parameters())
        #expect(lens.list?.first?["command"]?["title"]?.string?.contains("60/100") == true)
        let place: JSONValue = .object(["line": .integer(0), "character": .integer(14)])
        #expect(try await client.request("textDocument/hover", parameters(["position": place])) == .null)
        let actions = try await client.request(
            "textDocument/codeAction", parameters(["range": .object(["start": place, "end": place])]))
        let hint = try #require(actions.list?.first)
        #expect(actions.list?.map { $0["command"]?.string } == ["grader.hint", "grader.brief", "grader.reset"])
        try client.perform(hint)
        #expect(try await client.next("window/showMessage")["message"]?.string?.contains("en stranger.1") == true)
        let hover = try await client.request("textDocument/hover", parameters(["position": place]))
        #expect(hover["contents"]?["value"]?.string?.contains("en stranger.1") == true)

        try client.change(file, 4, SmallWorkbook.answer)
        #expect(try await client.next("textDocument/publishDiagnostics")["diagnostics"] == .list([]))
        try client.save(file)
        shown = try await client.next("textDocument/publishDiagnostics")
        #expect(shown["version"] == .integer(4) && shown["diagnostics"] == .list([]))
        #expect(try await client.request("shutdown") == .null)
        try client.note("exit", [:])
        let end = try await client.end()
        #expect(end.code == 0 && end.errors == "")
        let progress = client.received.compactMap { message -> String? in
            guard case .notification("$/progress", let parameters) = message else { return nil }
            return parameters["value"]?["kind"]?.string
        }
        #expect(progress.count { $0 == "begin" } == 4 && progress.count { $0 == "end" } == 4)
        #expect(progress.contains("report"))
        // It is the same progress as that of the command.
        #expect(try await Program.run(["list"], in: workbook.folder).output.contains("mastered"))
    }

    @Test("Who has mastered a kata opens the other right answers, and reads what each trades")
    func approaches() async throws {
        let approaches = workbook.folder.appendingPathComponent("Solutions/Greeting/Approaches")
        try FileManager.default.createDirectory(at: approaches, withIntermediateDirectories: true)
        let other = approaches.appendingPathComponent("WithATernary.swift")
        try Data(SmallWorkbook.answer.utf8).write(to: other)
        let texts = ["WithATernary.title": "A ternary", "WithATernary.trade": "It is short.\nIt is dense."]
            .mapValues { ["localizations": ["en": ["stringUnit": ["state": "translated", "value": $0]]]] }
        try JSONSerialization.data(withJSONObject: ["sourceLanguage": "en", "version": "1.0", "strings": texts])
            .write(to: approaches.appendingPathComponent("Approaches.xcstrings"))

        let client = try ScriptedClient(in: workbook.folder)
        _ = try await client.initialize(["window": .object(["showDocument": .object(["support": .bool(true)])])])
        let start: JSONValue = .object(["line": .integer(0), "character": .integer(0)])
        let anywhere = parameters(["range": .object(["start": start, "end": start])])
        func offered() async throws -> [JSONValue] {
            let actions = try await client.request("textDocument/codeAction", anywhere).list ?? []
            return actions.filter { $0["command"] == .text("grader.approach") }
        }
        try client.open(file, SmallWorkbook.passing)
        _ = try await client.next("textDocument/publishDiagnostics")
        #expect(try await offered() == [])

        try client.change(file, 2, SmallWorkbook.answer)
        _ = try await client.next("textDocument/publishDiagnostics")
        try client.save(file)
        _ = try await client.next("textDocument/publishDiagnostics")
        let actions = try await offered()
        #expect(actions.map { $0["title"] } == [.text("Compare with: Greeting"), .text("Compare with: A ternary")])
        let action = try #require(actions.last)
        try client.perform(action)
        let message = try await client.next("window/showMessage")
        #expect(message["message"] == .text("A ternary\nIt is short.\nIt is dense."))
        let shown = try #require(try await client.next("window/showDocument")["uri"]?.string)
        #expect(shown.hasSuffix("/Solutions/Greeting/Approaches/WithATernary.swift"))
    }

    @Test("The editor's text counts, and reset gives it back to the stub and keeps a copy")
    func reset() async throws {
        let client = try ScriptedClient(in: workbook.folder)
        _ = try await client.initialize(["workspace": .object(["applyEdit": .bool(true)])])
        try client.open(file, SmallWorkbook.passing)
        // The disk has the stub.
        #expect(try await client.next("textDocument/publishDiagnostics")["diagnostics"]?.list?.count == 1)
        try client.perform(
            .object(["command": .text("grader.reset"), "arguments": .list([.text(file.absoluteString)])]))
        let (id, edit) = try await client.nextRequest("workspace/applyEdit")
        #expect(
            edit["edit"]?["changes"]?[file.absoluteString]?.list?.first?["newText"] == .text(SmallWorkbook.stub))
        let backups = workbook.folder.appendingPathComponent(".grader/backups")
        let kept = try #require(try FileManager.default.contentsOfDirectory(atPath: backups.path).first)
        #expect(
            try String(contentsOf: backups.appendingPathComponent(kept), encoding: .utf8) == SmallWorkbook.passing)
        // Nothing is said before the editor has answered.
        _ = try await client.request("textDocument/codeLens", parameters())
        #expect(client.messages() == [])
        try client.change(file, 2, SmallWorkbook.stub)
        try client.send(.response(id: id, result: .object(["applied": .bool(true)])))
        #expect(try await client.next("window/showMessage")["message"]?.string?.contains(kept) == true)
    }

    @Test(
        "A reset that the editor does not apply is not called done, and what to do is said",
        arguments: [
            (["applied": .bool(false)], #"{"applied":false}"#),
            (["applied": .bool(false), "failureReason": .text("The file is read-only.")], "The file is read-only."),
        ] as [([String: JSONValue], String)])
    func refusedReset(answer: [String: JSONValue], said: String) async throws {
        let client = try ScriptedClient(in: workbook.folder)
        _ = try await client.initialize(["workspace": .object(["applyEdit": .bool(true)])])
        try client.open(file, SmallWorkbook.passing)
        _ = try await client.next("textDocument/publishDiagnostics")
        try client.perform(
            .object(["command": .text("grader.reset"), "arguments": .list([.text(file.absoluteString)])]))
        let (id, _) = try await client.nextRequest("workspace/applyEdit")
        try client.send(.response(id: id, result: .object(answer)))
        let shown = try await client.next("window/showMessage")
        #expect(shown["type"] == .integer(1))
        let message = try #require(shown["message"]?.string)
        #expect(message.contains("`\(said)`") && message.contains("reset Greeting`"))
        #expect(client.messages().count == 1)
    }

    @Test("A newer save ends a grading that runs, and only its verdict is shown")
    func newerSave() async throws {
        let client = try ScriptedClient(in: workbook.folder)
        _ = try await client.initialize()
        try client.open(file, SmallWorkbook.sleeping)
        try client.change(file, 2, SmallWorkbook.passing)
        try client.save(file)
        let shown = try await client.next("textDocument/publishDiagnostics")
        #expect(shown["version"] == .integer(2))
        #expect(shown["diagnostics"]?.list?.count == 1)
    }

    @Test("A message that cannot be understood is answered, and the session goes on")
    func badMessages() async throws {
        let client = try ScriptedClient(in: workbook.folder)
        #expect(try await client.request("textDocument/hover", .object([:])) == .integer(-32002))
        _ = try await client.initialize()
        #expect(try await client.request("textDocument/rename", .object([:])) == .integer(-32601))
        for (text, expected) in [("{\"jsonrpc\": ", -32700), ("[1, 2]", -32600)] {
            try client.sendRaw(MessageFrames.framed(Array(text.utf8)))
            guard case .failure(.null, let code, let message) = try await client.next() else {
                Issue.record("Expected an error")
                continue
            }
            #expect(code == expected && !message.isEmpty)
        }
        try client.note("textDocument/didChange", ["textDocument": .text("no object")])
        try client.note("$/nobodyKnows", [:])
        #expect(try await client.request("shutdown") == .null)
    }

    @Test(
        "Bytes that are no message end the server with a sentence",
        arguments: [
            ("Content-Length: many\r\n\r\n", "Content-Length: 120"),
            ("Content-Length: 900000000\r\n\r\n", "900,000,000"),
            ("check FirstValue\r\n\r\n", "check FirstValue"),
        ])
    func badBytes(text: String, said: String) async throws {
        let client = try ScriptedClient(in: workbook.folder)
        try client.sendRaw(Array(text.utf8))
        let end = try await client.end()
        #expect(end.code == 3)
        #expect(end.errors.contains(said) && end.errors.split(separator: "\n").count == 1)
    }

    @Test("A length that is too short is answered once, and then ends the server")
    func wrongLength() async throws {
        let client = try ScriptedClient(in: workbook.folder)
        try client.sendRaw(Array("Content-Length: 3\r\n\r\n{\"a\": 1}".utf8 + Array("\r\n\r\n".utf8)))
        guard case .failure(.null, -32700, _) = try await client.next() else {
            Issue.record("Expected an error")
            return
        }
        #expect(try await client.end().code == 3)
    }

    @Test("When the client is gone, the server ends what it has begun, and itself")
    func clientDies() async throws {
        let client = try ScriptedClient(in: workbook.folder)
        _ = try await client.initialize(["window": .object(["workDoneProgress": .bool(true)])])
        try client.open(file, SmallWorkbook.sleeping)
        _ = try await client.next("$/progress")
        try client.hangUp()
        let end = try await client.end()
        #expect(end.code == 1)
        #expect(end.errors.contains("`shutdown`"))
        #expect(try TestCache.unfinishedJobs(of: client.process.processIdentifier) == [])
    }

    @Test("Messages are in the language that was chosen")
    func language() async throws {
        let client = try ScriptedClient(in: workbook.folder, ["--language", "ko"])
        _ = try await client.initialize()
        try client.open(file, SmallWorkbook.passing)
        let shown = try await client.next("textDocument/publishDiagnostics")
        #expect(shown["diagnostics"]?.list?.first?["message"]?.string?.hasPrefix("ko stranger.title") == true)
    }
}
