import Foundation
import Grading
import Workbook

/// What a client's messages and the ends of gradings lead to. It touches neither files nor pipes: it takes events and answers
/// with effects.
///
/// A verdict belongs to the text that was graded, and is shown only while the document has that text.
struct LanguageServerModel: Sendable {
    /// One grading that was asked for. A newer one of the same document makes it worthless.
    typealias Run = Int

    /// A kata's file that is open in the editor. What the editor has counts, and not what is on the disk.
    struct Document: Equatable, Sendable {
        var uri: String
        var kata: Kata
        var version: Int?
        var text: String
        fileprivate var graded: Graded?
        /// The run whose verdict the client shows.
        fileprivate var shown: Run?

        /// The verdict on this very text.
        var verdict: Verdict? { graded.flatMap { $0.text == text ? $0.verdict : nil } }
    }

    fileprivate struct Graded: Equatable, Sendable {
        var run: Run
        var text: String
        var verdict: Verdict
    }

    enum Event: Sendable {
        case message(RPCMessage)
        case malformed(RequestFailure, id: JSONValue)
        case doing(TraceEvent.Step, kata: String?)
        case graded(Verdict, of: Run)
        case gradingFailed(String, of: Run)
        /// There is no client any more.
        case closed
    }

    enum Question: Equatable, Sendable {
        case lenses
        case actions(at: DocumentPlaces.Place)
        case hover(at: DocumentPlaces.Place)
    }

    /// What a person can ask for in the editor, by the name of the protocol's command.
    enum Action: String, CaseIterable, Sendable {
        case hint = "grader.hint"
        case brief = "grader.brief"
        case reset = "grader.reset"
        case next = "grader.next"
        /// One answer to compare with.
        case approach = "grader.approach"
    }

    /// What a client says about a request of the server.
    enum Answer: Equatable, Sendable {
        case result(JSONValue)
        case failure(String)

        /// Whether the client has changed its text as it was asked to.
        var isApplied: Bool { if case .result(let result) = self { result["applied"]?.isTrue ?? false } else { false } }

        /// Why it has not, where that is said.
        var reason: String? {
            switch self {
            case .result(let result): result["failureReason"]?.string
            case .failure(let message): message
            }
        }
    }

    enum Progress: Equatable, Sendable {
        case begin(kata: String)
        case step(TraceEvent.Step, kata: String)
        case end
    }

    enum Effect: Equatable, Sendable {
        case send(RPCMessage)
        case fail(id: JSONValue, RequestFailure)
        case grade(Document, run: Run)
        case abort(run: Run)
        /// Compile what the kata's next grading needs.
        case prepare(Kata)
        /// Show what is known of the document's text: its verdict, or nothing.
        case publish(Document)
        /// Take back what was shown of a document that was closed.
        case unpublish(uri: String)
        case refreshLenses
        case answer(id: JSONValue, Question, Document)
        /// - Parameter name: the test, or the answer, that is meant, where one is.
        case perform(Action, Document, name: String?)
        /// The client has answered what was asked of it.
        case receive(Answer, request: Int)
        case progress(Progress, run: Run)
        case tell(String)
        case end(ExitCode)
    }

    /// What the client can do beyond what every client can.
    struct Client: Equatable, Sendable {
        var showsProgress = false
        var showsDocuments = false
        var appliesEdits = false
        var refreshesLenses = false
    }

    private enum State { case new, running, shutDown }

    /// The katas by the paths of their files.
    private let katas: [String: Kata]
    private let version: String
    private(set) var client = Client()
    private(set) var documents: [String: Document] = [:]
    private var state = State.new
    private var run: Run = 0
    private var running: (run: Run, uri: String, text: String)?
    /// The documents that are graded after that, in this order.
    private var waiting: [String] = []

    init(katas: [String: Kata], version: String) {
        self.katas = katas
        self.version = version
    }

    mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .message(.request(let id, let method, let parameters)): return answer(id, method, parameters)
        case .message(.notification(let method, let parameters)): return note(method, parameters)
        case .message(.response(let id, let result)): return receive(.result(result), id)
        case .message(.failure(let id, _, let message)): return receive(.failure(message), id)
        case .malformed(let failure, let id): return [.fail(id: id, failure)]
        case .doing(let step, let kata):
            guard let running, let name = documents[running.uri]?.kata.kata, kata == nil || kata == name else {
                return []
            }
            return progress(.step(step, kata: name), running.run)
        case .graded(let verdict, let run):
            guard let running, running.run == run else { return [] }
            documents[running.uri]?.graded = Graded(run: run, text: running.text, verdict: verdict)
            let kata = documents[running.uri]?.kata
            self.running = nil
            let next = startNext()
            return progress(.end, run) + show(running.uri)
                + (next.isEmpty ? [kata.map(Effect.prepare)].compactMap(\.self) : next)
        case .gradingFailed(let sentence, let run):
            guard running?.run == run else { return [] }
            running = nil
            return progress(.end, run) + [.tell(sentence)] + startNext()
        case .closed:
            return stop() + [.end(state == .shutDown ? .passed : .notPassed)]
        }
    }

    /// The server counts its requests.
    private func receive(_ answer: Answer, _ id: JSONValue) -> [Effect] {
        id.integer.map { [.receive(answer, request: $0)] } ?? []
    }

    // MARK: - Requests

    private mutating func answer(_ id: JSONValue, _ method: String, _ parameters: JSONValue) -> [Effect] {
        let bad: [Effect] = [.fail(id: id, .badParameters(method: method))]
        switch (state, method) {
        case (.new, "initialize"):
            guard parameters.isObject else { return bad }
            state = .running
            client = Client(parameters["capabilities"] ?? .null)
            return [.send(.response(id: id, result: result))]
        case (.new, _): return [.fail(id: id, .notInitialized(method: method))]
        case (.shutDown, _), (.running, "initialize"): return [.fail(id: id, .isShutDown(method: method))]
        case (.running, "shutdown"):
            state = .shutDown
            return stop() + [.send(.response(id: id, result: .null))]
        case (.running, "textDocument/codeLens"), (.running, "textDocument/codeAction"),
            (.running, "textDocument/hover"):
            guard let uri = parameters["textDocument"]?["uri"]?.string,
                let question = Question(method, parameters)
            else { return bad }
            guard let document = documents[uri] else {
                let isHover = method == "textDocument/hover"
                return [.send(.response(id: id, result: isHover ? .null : .list([])))]
            }
            return [.answer(id: id, question, document)]
        case (.running, "workspace/executeCommand"):
            let arguments = parameters["arguments"]?.list ?? []
            guard let action = parameters["command"]?.string.flatMap(Action.init(rawValue:)),
                let document = arguments.first?.string.flatMap({ documents[$0] })
            else { return bad }
            // What is said comes first: some clients read on only when they have more than the answer that they wait for.
            return [
                .perform(action, document, name: arguments.dropFirst().first?.string),
                .send(.response(id: id, result: .null)),
            ]
        default: return [.fail(id: id, .unknownMethod(method))]
        }
    }

    /// What this server can do.
    private var result: JSONValue {
        .object([
            "serverInfo": .object(["name": .text("grader"), "version": .text(version)]),
            "capabilities": .object([
                "positionEncoding": .text("utf-16"),
                "textDocumentSync": .object([
                    // The whole text each time.
                    "openClose": .bool(true), "change": .integer(1), "save": .object(["includeText": .bool(true)]),
                ]),
                "codeLensProvider": .object(["resolveProvider": .bool(false)]),
                "codeActionProvider": .bool(true),
                "hoverProvider": .bool(true),
                "executeCommandProvider": .object([
                    "commands": .list(Action.allCases.map { .text($0.rawValue) })
                ]),
            ]),
        ])
    }

    // MARK: - Notifications

    private mutating func note(_ method: String, _ parameters: JSONValue) -> [Effect] {
        if method == "exit" { return stop() + [.end(state == .shutDown ? .passed : .notPassed)] }
        guard state == .running, let document = parameters["textDocument"], let uri = document["uri"]?.string else {
            return []
        }
        switch method {
        case "textDocument/didOpen":
            guard let kata = path(of: uri).flatMap({ katas[$0] }), let text = document["text"]?.string else {
                return []
            }
            let before = documents[uri] == nil ? [] : close(uri)
            documents[uri] = Document(uri: uri, kata: kata, version: document["version"]?.integer, text: text)
            waiting.append(uri)
            return before + startNext()
        case "textDocument/didChange":
            guard documents[uri] != nil, let changes = parameters["contentChanges"]?.list else { return [] }
            guard let change = changes.last else { return [] }
            // A change of a part was not offered, so what the text is after it is not known.
            guard change["range"] ?? .null == .null, let text = change["text"]?.string else { return close(uri) }
            documents[uri]?.version = document["version"]?.integer
            documents[uri]?.text = text
            return show(uri)
        case "textDocument/didSave":
            guard documents[uri] != nil else { return [] }
            if let text = parameters["text"]?.string { documents[uri]?.text = text }
            let before = show(uri) + abort(uri)
            // What was saved last is looked at now.
            waiting.insert(uri, at: 0)
            return before + startNext()
        case "textDocument/didClose":
            return documents[uri] == nil ? [] : close(uri)
        default:
            return []
        }
    }

    private func path(of uri: String) -> String? {
        guard let url = URL(string: uri), url.isFileURL else { return nil }
        return url.standardizedFileURL.path
    }

    // MARK: - Gradings

    private mutating func startNext() -> [Effect] {
        guard running == nil, let uri = waiting.first, let document = documents[uri] else { return [] }
        waiting.removeFirst()
        run += 1
        running = (run, uri, document.text)
        return progress(.begin(kata: document.kata.kata), run) + [.grade(document, run: run)]
    }

    /// Grades the document neither now nor later.
    private mutating func abort(_ uri: String) -> [Effect] {
        waiting.removeAll { $0 == uri }
        guard let running, running.uri == uri else { return [] }
        self.running = nil
        return [.abort(run: running.run)] + progress(.end, running.run)
    }

    private mutating func close(_ uri: String) -> [Effect] {
        let aborted = abort(uri)
        documents[uri] = nil
        return aborted + [.unpublish(uri: uri)] + startNext()
    }

    private mutating func stop() -> [Effect] {
        waiting = []
        return running.map { abort($0.uri) } ?? []
    }

    /// Shows what is known of the document's text now, where the client shows anything else.
    private mutating func show(_ uri: String) -> [Effect] {
        guard let document = documents[uri] else { return [] }
        let wanted = document.verdict == nil ? nil : document.graded?.run
        guard wanted != document.shown else { return [] }
        documents[uri]?.shown = wanted
        return [.publish(document)] + (client.refreshesLenses ? [.refreshLenses] : [])
    }

    private func progress(_ progress: Progress, _ run: Run) -> [Effect] {
        client.showsProgress ? [.progress(progress, run: run)] : []
    }
}

extension LanguageServerModel.Client {
    fileprivate init(_ capabilities: JSONValue) {
        let (window, workspace) = (capabilities["window"], capabilities["workspace"])
        showsProgress = window?["workDoneProgress"]?.isTrue ?? false
        showsDocuments = window?["showDocument"]?["support"]?.isTrue ?? false
        appliesEdits = workspace?["applyEdit"]?.isTrue ?? false
        refreshesLenses = workspace?["codeLens"]?["refreshSupport"]?.isTrue ?? false
    }
}

extension LanguageServerModel.Question {
    fileprivate init?(_ method: String, _ parameters: JSONValue) {
        switch method {
        case "textDocument/codeLens": self = .lenses
        case "textDocument/codeAction":
            guard let place = DocumentPlaces.Place(parameters["range"]?["start"]) else { return nil }
            self = .actions(at: place)
        default:
            guard let place = DocumentPlaces.Place(parameters["position"]) else { return nil }
            self = .hover(at: place)
        }
    }
}

extension DocumentPlaces.Place {
    fileprivate init?(_ json: JSONValue?) {
        guard let line = json?["line"]?.integer, let character = json?["character"]?.integer else { return nil }
        self.init(line: line, character: character)
    }
}
