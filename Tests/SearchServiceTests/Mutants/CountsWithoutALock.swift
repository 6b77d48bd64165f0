// mutant: counts the callers where they are cancelled, on any thread and without a lock
// fails: SearchServiceTests/theLastToLeaveCancelsTheRequest()
// fails: SearchServiceTests/aCallerMayBeCancelledAtAnyMoment()
// hint: SearchServiceTests/theLastToLeaveCancelsTheRequest() dataRace
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
        var waiting = 0
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
        try Task.checkCancellation()
        lastCall += 1
        let call = lastCall
        var request = requests[query] ?? begin(query)
        if request.task?.isCancelled == true { request = begin(query) }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { join(request, as: call, $0) }
        } onCancel: {
            request.waiting -= 1
            if request.waiting == 0 { request.task?.cancel() }
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
        request.waiting += 1
        request.callers[call] = caller
    }

    private func leave(_ request: Request, of query: String, as call: Int) {
        guard let caller = request.callers.removeValue(forKey: call) else { return }
        caller.resume(throwing: CancellationError())
        if request.waiting == 0, requests[query] === request { requests[query] = nil }
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
