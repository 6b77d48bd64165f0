import Testing
import Workbook

@testable import grader

@Suite("Messages are cut out of a client's bytes")
struct MessageFramesTests {
    private static func texts(_ bytes: [UInt8], inPiecesOf size: Int) throws -> [String] {
        var frames = MessageFrames()
        var texts: [String] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            frames.append(Array(bytes[start..<min(start + size, bytes.count)]))
            while let body = try frames.next() { texts.append(String(decoding: body, as: UTF8.self)) }
        }
        return texts
    }

    @Test("However the bytes come, the messages are the same", arguments: [1, 2, 3, 7, 1000])
    func pieces(size: Int) throws {
        let first = MessageFrames.framed(Array("{}".utf8))
        let second = Array("content-type: x\r\nCONTENT-LENGTH:  6\r\n\r\n한글".utf8)
        #expect(try Self.texts(first + second + first, inPiecesOf: size) == ["{}", "한글", "{}"])
    }

    @Test("A message that is not there as a whole waits for the rest")
    func incomplete() throws {
        #expect(try Self.texts(Array("Content-Length: 3\r\n\r\n{}".utf8), inPiecesOf: 4) == [])
        #expect(try Self.texts(Array("Content-Len".utf8), inPiecesOf: 4) == [])
    }

    @Test(
        "What has no length says what was found",
        arguments: [
            "hello\r\n\r\n", "Content-Type: x\r\n\r\n{}", "Content-Length: many\r\n\r\n", "Content-Length: -1\r\n\r\n",
            String(repeating: "x", count: 5000), "Content-Length: 99999999999999999999\r\n\r\n",
        ])
    func noLength(text: String) throws {
        var frames = MessageFrames()
        frames.append(Array(text.utf8))
        let failure = #expect(throws: MessageFrames.Failure.self) { try frames.next() }
        guard case .noLength(let found) = failure else {
            Issue.record("Expected the text without a length, and got \(String(describing: failure))")
            return
        }
        #expect(!found.isEmpty && found.utf8.count <= 40 && text.hasPrefix(found))
    }

    @Test("A message that is too large is refused before it comes")
    func tooLarge() {
        var frames = MessageFrames()
        frames.append(Array("Content-Length: 9000000\r\n\r\n".utf8))
        #expect(throws: MessageFrames.Failure.tooLarge(bytes: 9_000_000, limit: MessageFrames.largest)) {
            try frames.next()
        }
    }

    @Test(
        "What is sent can be read again",
        arguments: [
            RPCMessage.request(id: .integer(7), method: "a", parameters: .null),
            .request(id: .text("x"), method: "a/b", parameters: .list([.bool(true), .integer(3)])),
            .notification(method: "a", parameters: .object(["uri": .text("file:///a%20b")])),
            .response(id: .integer(1), result: .null),
            .failure(id: .null, code: -32700, message: "한"),
        ])
    func roundTrip(message: RPCMessage) throws {
        #expect(try RPCMessage(message.bytes) == message)
    }

    @Test("What is no message is named, with the id that an answer goes to")
    func malformed() {
        func problem(_ text: String) -> RPCMessage.Problem? {
            #expect(throws: RPCMessage.Problem.self) { _ = try RPCMessage(Array(text.utf8)) }
        }
        #expect(problem("{\"jsonrpc\"") == .notJSON)
        #expect(problem(String(repeating: "[", count: 100_000)) == .notJSON)
        #expect(problem("{\"id\": 3}") == .notAMessage(id: .integer(3)))
        #expect(problem("[]") == .notAMessage(id: .null))
        #expect(problem("{\"jsonrpc\": \"2.0\", \"id\": 4}") == .notAMessage(id: .integer(4)))
    }
}
