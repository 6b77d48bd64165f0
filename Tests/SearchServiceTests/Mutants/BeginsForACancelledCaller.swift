// mutant: begins the request before it asks whether the caller is cancelled
// fails: SearchServiceTests/aSharerWhoIsCancelledEndsAtOnce()
// fails: SearchServiceTests/aCallerMayBeCancelledAtAnyMoment()
// hint: SearchServiceTests/aSharerWhoIsCancelledEndsAtOnce() beforehandAlone
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
    private final class Request: @unchecked Sendable {  // only used on the actor
        var task: Task<Void, Never>?
        var callers: [Int: CheckedContinuation<[SearchResult], any Error>] = [:]
    }

    private let load: @Sendable (URL) async throws -> (data: Data, status: Int)
    private var requests: [String: Request] = [:]
    private var lastCall = 0

    public init(load: @escaping @Sendable (URL) async throws -> (data: Data, status: Int)) {
        self.load = load
    }

    public func performSearch(query: String) async throws -> [SearchResult] {
        guard query.count >= 3 else { return [] }
        lastCall += 1
        let call = lastCall
        let request = requests[query] ?? begin(query)
        try Task.checkCancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { join(request, as: call, $0) }
        } onCancel: {
            Task { await leave(request, of: query, as: call) }
        }
    }

    private func begin(_ query: String) -> Request {
        let request = Request()
        requests[query] = request
        request.task = Task { await run(request, of: query) }
        return request
    }

    private func join(
        _ request: Request, as call: Int, _ caller: CheckedContinuation<[SearchResult], any Error>
    ) {
        request.callers[call] = caller
    }

    private func leave(_ request: Request, of query: String, as call: Int) {
        guard let caller = request.callers.removeValue(forKey: call) else { return }
        caller.resume(throwing: CancellationError())
        guard request.callers.isEmpty else { return }
        request.task?.cancel()
        if requests[query] === request { requests[query] = nil }
    }

    private func run(_ request: Request, of query: String) async {
        let result: Result<[SearchResult], any Error>
        do { result = .success(try await fetch(query)) } catch { result = .failure(error) }
        if requests[query] === request { requests[query] = nil }
        request.callers.values.forEach { $0.resume(with: result) }
        request.callers = [:]
    }

    private nonisolated func fetch(_ query: String) async throws -> [SearchResult] {
        let (data, status) = try await load(Self.url(for: query))
        guard status == 200 else { throw SearchError.invalidResponse }
        return try JSONDecoder().decode([SearchResult].self, from: data)
    }

    private static func url(for query: String) -> URL {
        var components = URLComponents(string: "https://api.example.com/search")!
        components.queryItems = [URLQueryItem(name: "q", value: query)]
        return components.url!
    }
}
