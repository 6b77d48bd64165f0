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
        let service = Server(isOpen: true) { _ in throw KataSupport.Failure("offline") }.service
        let query = query()
        let result = try await KataSupport.result { try await titles(of: query, from: service) }
        try KataSupport.expect(result, throws: KataSupport.Failure("offline"))
    }

    func testCancellingTheCallerCancelsItsRequest() async throws {
        let caller = await search(query(), on: server.service)
        caller.cancel()
        await KataSupport.settle()
        try KataSupport.expect(server.events, equals: ["request 1", "cancelled 1"])
    }

    func testWhatHasSucceededIsAskedForAgain() async throws {
        let service = server.service
        let query = query()
        let first = await search(query, on: service)
        server.open(1)
        _ = try await KataSupport.result(of: first)
        await KataSupport.settle()
        let again = await search(query, on: service)
        try KataSupport.expect(server.events, equals: ["request 1", "request 2"])
        server.open(2)
        try await KataSupport.expect(KataSupport.result(of: again), equals: [Server.answer(2)])
    }

    private func query() -> String {
        var values = KataSupport.Values(for: "query")
        return values.strings(1).joined()
    }
}
