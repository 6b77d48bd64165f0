import Testing
import Workbook

@testable import grader

@Suite("What the language server does about a client's messages")
struct LanguageServerModelTests {
    private static func kata(_ name: String) -> Kata { Kata(kata: name, order: 1, phase: 1, interface: [], tests: []) }
    private static let katas = ["/w/A.swift": kata("A"), "/w/B b.swift": kata("B"), "/w/C.swift": kata("C")]
    private static let uris = ["file:///w/A.swift", "file:///w/B%20b.swift", "file:///w/C.swift"]

    private static func started() -> LanguageServerModel {
        var model = LanguageServerModel(katas: katas, version: "1")
        _ = model.handle(
            .message(
                .request(id: .integer(1), method: "initialize", parameters: .object(["capabilities": .object([:])]))))
        return model
    }

    private static func note(_ method: String, _ uri: String, _ version: Int?, _ more: [String: JSONValue] = [:])
        -> LanguageServerModel.Event
    {
        var document: [String: JSONValue] = ["uri": .text(uri)]
        if let version { document["version"] = .integer(version) }
        if method == "didOpen", let text = more["text"] { document["text"] = text }
        return .message(
            .notification(
                method: "textDocument/\(method)",
                parameters: .object(more.merging(["textDocument": .object(document)]) { $1 })))
    }

    private static func change(_ uri: String, _ version: Int, to text: String) -> LanguageServerModel.Event {
        note("didChange", uri, version, ["contentChanges": .list([.object(["text": .text(text)])])])
    }

    /// A grading that says which text it saw.
    private static func verdict(on document: LanguageServerModel.Document) -> Verdict {
        Verdict(
            kata: document.kata.kata, outcome: .failed, points: 0, maxPoints: 1, seconds: 0, diagnostics: [],
            tests: [TestVerdict(id: "t", outcome: .failed, points: 0, output: document.text)])
    }

    /// What a client has on its screen, and every rule that the server must keep.
    private struct Client {
        struct Open {
            var version: Int
            var text: String
            /// What was saved, while it is what is there.
            var isSaved = true
            var shown: String?
        }

        var open: [String: Open] = [:]
        var gradings: [(run: Int, document: LanguageServerModel.Document)] = []
        var aborted: Set<Int> = []
        var verdictsShown = 0
        var findings: [String] = []

        mutating func take(_ effects: [LanguageServerModel.Effect]) {
            for effect in effects {
                switch effect {
                case .grade(let document, let run):
                    if open[document.uri]?.text != document.text { findings.append("graded another text") }
                    if gradings.contains(where: { !aborted.contains($0.run) }) { findings.append("two at once") }
                    gradings.append((run, document))
                case .abort(let run): aborted.insert(run)
                case .publish(let document):
                    guard let here = open[document.uri] else {
                        findings.append("published what is closed")
                        continue
                    }
                    let shown = document.verdict?.tests[0].output
                    if document.version != here.version { findings.append("another version") }
                    open[document.uri]?.shown = shown
                    verdictsShown += shown == nil ? 0 : 1
                case .unpublish(let uri): open[uri]?.shown = nil
                default: break
                }
            }
            for (uri, document) in open where document.shown != nil && document.shown != document.text {
                findings.append("stale in \(uri): \(document.shown ?? "") for \(document.text)")
            }
        }
    }

    @Test("In a thousand random edits and saves, no verdict is shown for another text", arguments: 1...5)
    func thousandEdits(seed: UInt64) {
        var random = SplitMix(state: seed)
        var model = Self.started()
        var client = Client()
        var version = 0
        for _ in 0..<1000 {
            let uri = Self.uris.randomElement(using: &random) ?? ""
            let text = String(Int.random(in: 0..<4, using: &random))
            version += 1
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<4:
                guard var document = client.open[uri] else { continue }
                document.version = version
                document.isSaved = document.isSaved && document.text == text
                document.text = text
                client.open[uri] = document
                client.take(model.handle(Self.change(uri, version, to: text)))
            case 4, 5:
                guard client.open[uri] != nil else { continue }
                client.open[uri]?.isSaved = true
                client.take(model.handle(Self.note("didSave", uri, nil)))
            case 6:
                if client.open[uri] == nil {
                    client.open[uri] = Client.Open(version: version, text: text)
                    client.take(model.handle(Self.note("didOpen", uri, version, ["text": .text(text)])))
                } else if Bool.random(using: &random) {
                    client.open[uri] = nil
                    client.take(model.handle(Self.note("didClose", uri, nil)))
                }
            default:
                // A grading ends, also one that was aborted and had ended already.
                guard let index = client.gradings.indices.randomElement(using: &random) else { continue }
                let (run, document) = client.gradings.remove(at: index)
                client.take(model.handle(.graded(Self.verdict(on: document), of: run)))
            }
        }
        while let (run, document) = client.gradings.popLast() {
            client.take(model.handle(.graded(Self.verdict(on: document), of: run)))
        }
        #expect(client.findings == [])
        #expect(client.verdictsShown > 50)
        #expect(!client.aborted.isEmpty)
        // What was saved last is shown in the end.
        for document in client.open.values where document.isSaved { #expect(document.shown == document.text) }
    }

    @Test("Who goes back to the text that was graded sees its verdict again")
    func undo() throws {
        var model = Self.started()
        let uri = Self.uris[1]
        var effects = model.handle(Self.note("didOpen", uri, 1, ["text": .text("a")]))
        guard case .grade(let document, let run)? = effects.first else {
            Issue.record("Expected a grading")
            return
        }
        func shown() -> [String?] {
            effects.flatMap { effect -> [String?] in
                if case .publish(let document) = effect { [document.verdict?.tests[0].output] } else { [] }
            }
        }
        effects = model.handle(.graded(Self.verdict(on: document), of: run))
        #expect(shown() == ["a"])
        effects = model.handle(Self.change(uri, 2, to: "b"))
        #expect(shown() == [nil])
        effects = model.handle(Self.change(uri, 3, to: "a"))
        #expect(shown() == ["a"])
    }

    @Test("A request that comes at a wrong time, or is not known, is answered with the protocol's error")
    func wrongRequests() {
        var model = LanguageServerModel(katas: Self.katas, version: "1")
        func failure(_ method: String, _ parameters: JSONValue = .null) -> Int? {
            let effects = model.handle(.message(.request(id: .integer(1), method: method, parameters: parameters)))
            if case .fail(_, let failure)? = effects.first { return failure.code }
            return nil
        }
        #expect(failure("shutdown") == -32002)
        #expect(failure("initialize") == -32602)
        #expect(failure("initialize", .object([:])) == nil)
        #expect(failure("initialize", .object([:])) == -32600)
        #expect(failure("textDocument/rename", .object([:])) == -32601)
        #expect(failure("textDocument/hover", .object([:])) == -32602)
        #expect(failure("workspace/executeCommand", .object(["command": .text("rm")])) == -32602)
        #expect(failure("shutdown") == nil)
        #expect(failure("textDocument/hover", .object([:])) == -32600)
        #expect(model.handle(.message(.notification(method: "exit", parameters: .null))) == [.end(.passed)])
    }

    @Test("An exit without a shutdown, and a client that is gone, are no good ends")
    func ends() {
        var model = Self.started()
        #expect(model.handle(.message(.notification(method: "exit", parameters: .null))) == [.end(.notPassed)])
        model = Self.started()
        _ = model.handle(Self.note("didOpen", Self.uris[0], 1, ["text": .text("a")]))
        #expect(model.handle(.closed) == [.abort(run: 1), .end(.notPassed)])
    }

    @Test("Who asks for an answer to compare with gets the one that was named, and then the request is over")
    func approach() throws {
        var model = Self.started()
        _ = model.handle(Self.note("didOpen", Self.uris[0], 1, ["text": .text("a")]))
        let parameters: JSONValue = .object([
            "command": .text("grader.approach"), "arguments": .list([.text(Self.uris[0]), .text("WithALock")]),
        ])
        let effects = model.handle(
            .message(.request(id: .integer(2), method: "workspace/executeCommand", parameters: parameters)))
        let document = try #require(model.documents[Self.uris[0]])
        #expect(
            effects == [
                .perform(.approach, document, name: "WithALock"),
                .send(.response(id: .integer(2), result: .null)),
            ])
    }

    @Test("An edit is applied only where the client answers so", arguments: Applied.all)
    fileprivate func edits(applied: Applied) {
        var model = Self.started()
        guard case .receive(let answer, request: 7)? = model.handle(.message(applied.message)).first else {
            Issue.record("Expected the answer to request 7")
            return
        }
        #expect(answer.isApplied == applied.isApplied)
        #expect(answer.reason == applied.reason)
    }

    @Test("Files that are no kata's, and changes of a part, are left alone")
    func otherFiles() {
        var model = Self.started()
        for uri in ["file:///w/Other.swift", "untitled:A.swift", "", "file:///w/../x/A.swift"] {
            #expect(model.handle(Self.note("didOpen", uri, 1, ["text": .text("a")])) == [])
        }
        _ = model.handle(Self.note("didOpen", Self.uris[0], 1, ["text": .text("a")]))
        let part: JSONValue = .object(["text": .text("b"), "range": .object([:])])
        #expect(
            model.handle(Self.note("didChange", Self.uris[0], 2, ["contentChanges": .list([part])]))
                == [.abort(run: 1), .unpublish(uri: Self.uris[0])])
        #expect(model.handle(Self.note("didSave", Self.uris[0], nil)) == [])
    }
}

/// What a client can say about an edit.
private struct Applied: Sendable {
    var message: RPCMessage
    var isApplied = false
    var reason: String?

    static let all = [
        Applied(message: response(["applied": .bool(true)]), isApplied: true),
        Applied(message: response(["applied": .bool(false)])),
        Applied(
            message: response(["applied": .bool(false), "failureReason": .text("read-only")]), reason: "read-only"),
        Applied(message: .response(id: .integer(7), result: .null)),
        Applied(message: .failure(id: .integer(7), code: -32601, message: "not known"), reason: "not known"),
    ]

    private static func response(_ result: [String: JSONValue]) -> RPCMessage {
        .response(id: .integer(7), result: .object(result))
    }
}

private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
