import Foundation
import KataSupport
import SearchService
import XCTest

final class SearchServiceXCTests: XCTestCase {
    let server = Server()

    func testASearchAsksTheServer() async throws {
        let server = Server(isOpen: true)
        let query = query()
        _ = await search(query, on: server.service)
        try KataSupport.expect(server.urls, equals: ["https://api.example.com/search?q=\(query)"])
    }

    func testAnyOtherStatusIsAnInvalidResponse() async throws {
        let query = query()
        for body in [#"[{"title":"\#(query)"}]"#, "<html>"] {
            for status in [500, 404, 301, 204, 201] {
                let service = Server(isOpen: true) { _ in (Data(body.utf8), status) }.service
                let result = try await KataSupport.result { try await titles(of: query, from: service) }
                switch result {
                case .failure(SearchError.invalidResponse): break
                case .failure(let error):
                    throw KataSupport.Mismatch(
                        expected: "\(status): invalidResponse", actual: "\(status): \(error)", kind: .otherError)
                case .success(let titles):
                    throw KataSupport.Mismatch(
                        expected: "\(status): invalidResponse", actual: "\(status): \(titles)", kind: .noError)
                }
            }
        }
    }

    func testTheErrorOfTheLoaderIsThrown() async throws {
        try await KataSupport.inCase("load") {
            let service = Server(isOpen: true) { _ in throw KataSupport.Failure("offline") }.service
            let query = query()
            let result = try await KataSupport.result { try await titles(of: query, from: service) }
            try KataSupport.expect(result, throws: KataSupport.Failure("offline"))
        }
        try await KataSupport.inCase("DecodingError") { try await expectDecodingError() }
    }

    func testCancellingTheCallerCancelsItsRequest() async throws {
        let caller = await search(query(), on: server.service)
        caller.cancel()
        await KataSupport.settle()
        try KataSupport.expect(server.events, equals: ["request 1", "cancelled 1"])
    }

    private func query() -> String {
        var values = KataSupport.Values(for: "query")
        return values.strings(1).joined()
    }

    /// The same for what the decoder throws.
    private func expectDecodingError() async throws {
        let query = query()
        for body in [#"{"message":"busy"}"#, "<html>"] {
            let service = Server(isOpen: true) { _ in (Data(body.utf8), 200) }.service
            let result = try await KataSupport.result { try await titles(of: query, from: service) }
            switch result {
            case .failure(is DecodingError): break
            case .failure(let error):
                throw KataSupport.Mismatch(expected: "DecodingError", actual: "\(error)", kind: .otherError)
            case .success(let titles):
                throw KataSupport.Mismatch(expected: "DecodingError", actual: "\(titles)", kind: .noError)
            }
        }
    }
}
