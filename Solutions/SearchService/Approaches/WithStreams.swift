// right: every caller reads a stream of its own, and leaves the request when this stream ends
import Foundation

public struct SearchResult: Codable, Equatable, Sendable {
    public var title: String

    public init(title: String) {
        self.title = title
    }
}

public enum SearchError: Error, Equatable {
    case invalidResponse
}

public actor SearchService {
    private typealias Results = AsyncThrowingStream<[SearchResult], any Error>

    private final class Request: @unchecked Sendable {  // only used on the actor
        var task: Task<Void, Never>?
        var callers: [UUID: Results.Continuation] = [:]
    }

    private let load: @Sendable (URL) async throws -> (data: Data, status: Int)
    private var requests: [String: Request] = [:]

    public init(load: @escaping @Sendable (URL) async throws -> (data: Data, status: Int)) {
        self.load = load
    }

    public func performSearch(query: String) async throws -> [SearchResult] {
        guard query.count >= 3 else { return [] }
        for try await results in join(query) { return results }
        // Only a loop that is cancelled ends without a result.
        throw CancellationError()
    }

    private func join(_ query: String) -> Results {
        let request = requests[query] ?? begin(query)
        let call = UUID()
        let (results, continuation) = Results.makeStream()
        request.callers[call] = continuation
        continuation.onTermination = { _ in
            Task { await self.leave(request, of: query, as: call) }
        }
        return results
    }

    private func begin(_ query: String) -> Request {
        let request = Request()
        requests[query] = request
        request.task = Task {
            do {
                let results = try await fetch(query)
                end(request, of: query).forEach {
                    $0.yield(results)
                    $0.finish()
                }
            } catch {
                end(request, of: query).forEach { $0.finish(throwing: error) }
            }
        }
        return request
    }

    private func leave(_ request: Request, of query: String, as call: UUID) {
        guard request.callers.removeValue(forKey: call) != nil, request.callers.isEmpty else { return }
        request.task?.cancel()
        if requests[query] === request { requests[query] = nil }
    }

    private func end(_ request: Request, of query: String) -> [Results.Continuation] {
        if requests[query] === request { requests[query] = nil }
        defer { request.callers = [:] }
        return Array(request.callers.values)
    }

    private nonisolated func fetch(_ query: String) async throws -> [SearchResult] {
        let address = URL(string: "https://api.example.com/search")!
        let (data, status) = try await load(address.appending(queryItems: [URLQueryItem(name: "q", value: query)]))
        guard status == 200 else { throw SearchError.invalidResponse }
        return try JSONDecoder().decode([SearchResult].self, from: data)
    }
}
