import Foundation
import Workbook

/// A message of JSON-RPC 2.0, from the client or to it.
enum RPCMessage: Equatable, Sendable {
    case request(id: JSONValue, method: String, parameters: JSONValue)
    case notification(method: String, parameters: JSONValue)
    case response(id: JSONValue, result: JSONValue)
    case failure(id: JSONValue, code: Int, message: String)

    /// Why bytes are no message.
    enum Problem: Error, Equatable, Sendable {
        case notJSON
        /// With the id that an answer goes to, where there is one.
        case notAMessage(id: JSONValue)
    }

    init(_ bytes: [UInt8]) throws(Problem) {
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)) else { throw .notJSON }
        let id = value["id"] ?? .null
        let hasID = id.string != nil || id.integer != nil
        guard value["jsonrpc"]?.string == "2.0" else { throw .notAMessage(id: hasID ? id : .null) }
        if let method = value["method"]?.string {
            let parameters = value["params"] ?? .null
            self =
                hasID
                ? .request(id: id, method: method, parameters: parameters)
                : .notification(method: method, parameters: parameters)
        } else if let error = value["error"], error.isObject {
            self = .failure(
                id: id, code: error["code"]?.integer ?? 0, message: error["message"]?.string ?? "")
        } else if hasID, let result = value["result"] {
            self = .response(id: id, result: result)
        } else {
            throw .notAMessage(id: hasID ? id : .null)
        }
    }

    var bytes: [UInt8] {
        var values: [String: JSONValue] = ["jsonrpc": .text("2.0")]
        switch self {
        case .request(let id, let method, let parameters):
            values["id"] = id
            values["method"] = .text(method)
            values["params"] = parameters
        case .notification(let method, let parameters):
            values["method"] = .text(method)
            values["params"] = parameters
        case .response(let id, let result):
            values["id"] = id
            values["result"] = result
        case .failure(let id, let code, let message):
            values["id"] = id
            values["error"] = .object(["code": .integer(code), "message": .text(message)])
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Values that were read or made here can be written.
        return (try? encoder.encode(JSONValue.object(values))).map(Array.init) ?? []
    }
}

/// What a request is answered with where it has no result.
enum RequestFailure: Equatable, Sendable {
    case notJSON, notAMessage
    case unknownMethod(String)
    case badParameters(method: String)
    case notInitialized(method: String)
    case isShutDown(method: String)

    /// The protocol's number for it.
    var code: Int {
        switch self {
        case .notJSON: -32700
        case .notAMessage, .isShutDown: -32600
        case .unknownMethod: -32601
        case .badParameters: -32602
        case .notInitialized: -32002
        }
    }
}
