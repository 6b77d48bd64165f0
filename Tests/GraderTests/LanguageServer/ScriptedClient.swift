import Foundation
import TestSupport
import Workbook

@testable import grader

/// A client of the real program, over pipes.
final class ScriptedClient {
    struct Ended: Error {
        var after: [RPCMessage]
    }

    let process: Process
    private let toServer = Pipe()
    private let errors: URL
    private let scratch: ScratchFolder
    private let ending: Task<Void, Never>
    private var incoming: AsyncStream<RPCMessage>.Iterator
    private(set) var received: [RPCMessage] = []
    private var requests = 0

    init(in folder: URL, _ arguments: [String] = []) throws {
        scratch = try ScratchFolder()
        errors = scratch("errors")
        try Data().write(to: errors)
        process = try Program.process(["lsp"] + arguments, in: folder)
        let fromServer = Pipe()
        process.standardInput = toServer
        process.standardOutput = fromServer
        process.standardError = try FileHandle(forWritingTo: errors)
        let (stream, give) = AsyncStream.makeStream(of: RPCMessage.self)
        incoming = stream.makeAsyncIterator()
        ending = try Program.start(process)
        let reading = fromServer.fileHandleForReading
        Thread.detachNewThread {
            var frames = MessageFrames()
            while case let data = reading.availableData, !data.isEmpty {
                frames.append(Array(data))
                while let body = try? frames.next(), let message = try? RPCMessage(body) { give.yield(message) }
            }
            give.finish()
        }
    }

    func sendRaw(_ bytes: [UInt8]) throws { try toServer.fileHandleForWriting.write(contentsOf: Data(bytes)) }

    func send(_ message: RPCMessage) throws { try sendRaw(MessageFrames.framed(message.bytes)) }

    func note(_ method: String, _ parameters: [String: JSONValue]) throws {
        try send(.notification(method: method, parameters: .object(parameters)))
    }

    /// The result of a request; for an error its code.
    func request(_ method: String, _ parameters: JSONValue = .null) async throws -> JSONValue {
        requests += 1
        let own = JSONValue.integer(requests)
        try send(.request(id: own, method: method, parameters: parameters))
        while true {
            switch try await next() {
            case .response(own, let result): return result
            case .failure(own, let code, _): return .integer(code)
            default: continue
            }
        }
    }

    /// Asks for a code action, which says something before it is answered.
    func perform(_ action: JSONValue) throws {
        try send(
            .request(
                id: .text("action"), method: "workspace/executeCommand",
                parameters: .object([
                    "command": action["command"] ?? .null, "arguments": action["arguments"] ?? .null,
                ])))
    }

    /// The next message of the server.
    func next() async throws -> RPCMessage {
        guard let message = await incoming.next() else { throw Ended(after: received) }
        received.append(message)
        return message
    }

    /// The parameters of the next notification, or request, of this name.
    func next(_ method: String) async throws -> JSONValue {
        while true {
            switch try await next() {
            case .notification(method, let parameters), .request(_, method, let parameters): return parameters
            default: continue
            }
        }
    }

    /// The next request of this name, with the id that its answer needs.
    func nextRequest(_ method: String) async throws -> (id: JSONValue, parameters: JSONValue) {
        while true {
            if case .request(let id, method, let parameters) = try await next() { return (id, parameters) }
        }
    }

    /// What the server has said to a person.
    func messages() -> [String] {
        received.compactMap { message in
            guard case .notification("window/showMessage", let parameters) = message else { return nil }
            return parameters["message"]?.string
        }
    }

    func initialize(_ capabilities: [String: JSONValue] = [:]) async throws -> JSONValue {
        let result = try await request("initialize", .object(["capabilities": .object(capabilities)]))
        try note("initialized", [:])
        return result
    }

    func open(_ file: URL, _ text: String) throws {
        try note(
            "textDocument/didOpen",
            [
                "textDocument": .object([
                    "uri": .text(file.absoluteString), "languageId": .text("swift"), "version": .integer(1),
                    "text": .text(text),
                ])
            ])
    }

    func change(_ file: URL, _ version: Int, _ text: String) throws {
        try note(
            "textDocument/didChange",
            [
                "textDocument": .object(["uri": .text(file.absoluteString), "version": .integer(version)]),
                "contentChanges": .list([.object(["text": .text(text)])]),
            ])
    }

    func save(_ file: URL) throws {
        try note("textDocument/didSave", ["textDocument": .object(["uri": .text(file.absoluteString)])])
    }

    /// The client is gone.
    func hangUp() throws { try toServer.fileHandleForWriting.close() }

    /// The server's exit code, and what it said on standard error.
    func end() async throws -> (code: Int32, errors: String) {
        await ending.value
        return (process.terminationStatus, try String(contentsOf: errors, encoding: .utf8))
    }

    deinit { if process.isRunning { process.terminate() } }
}
