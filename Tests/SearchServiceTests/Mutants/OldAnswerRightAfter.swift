// mutant: a request that has ended gives its answer to those who come before it is forgotten
// fails: SearchServiceTests/aSearchRightAfterTheAnswerSendsANewRequest()
// hint: SearchServiceTests/aSearchRightAfterTheAnswerSendsANewRequest() rightAfter
import Foundation

/// One result of a search.
public struct SearchResult: Codable, Equatable, Sendable {
    public var title: String

    public init(title: String) {
        self.title = title
    }
}

public enum SearchError: Error, Equatable {
    case invalidResponse
}

/// Searches on the server. Equal searches share one request, which runs for as long as somebody waits for it.
public actor SearchService {
    private typealias Caller = CheckedContinuation<[SearchResult], any Error>

    private struct Request {
        let task: Task<Void, Never>
        var answer: Result<[SearchResult], any Error>?
        var callers: [Int: Caller] = [:]
    }

    private let load: @Sendable (URL) async throws -> (data: Data, status: Int)
    /// The requests that run, by their query.
    private var requests: [String: Request] = [:]
    private var lastCall = 0

    /// - Parameter load: Sends a request, and returns the body and the status of the response.
    public init(load: @escaping @Sendable (URL) async throws -> (data: Data, status: Int)) {
        self.load = load
    }

    /// Returns what the server finds for the query, in the server's order; nothing for fewer than three characters.
    ///
    /// Throws the error of the request, or a `CancellationError` as soon as the caller is cancelled. The request goes on
    /// for the other callers, and is cancelled when the last of them is.
    public func performSearch(query: String) async throws -> [SearchResult] {
        guard query.count >= 3 else { return [] }
        try Task.checkCancellation()
        lastCall += 1
        let call = lastCall
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { caller in join(query, as: call, caller) }
        } onCancel: {
            // This may run on any thread, at any time. The actor comes to `leave` when the call above waits.
            Task { await leave(query, as: call) }
        }
    }

    // Between a look at `requests` and its change there is no `await`, so nobody else can come in between.

    private func join(_ query: String, as call: Int, _ caller: Caller) {
        if let answer = requests[query]?.answer { return caller.resume(with: answer) }
        if requests[query] == nil {
            requests[query] = Request(task: Task { await run(query) })
        }
        requests[query]?.callers[call] = caller
    }

    private func leave(_ query: String, as call: Int) {
        guard requests[query]?.answer == nil, let caller = requests[query]?.callers.removeValue(forKey: call) else { return }
        caller.resume(throwing: CancellationError())
        if requests[query]?.callers.isEmpty == true {
            requests.removeValue(forKey: query)?.task.cancel()
        }
    }

    private func run(_ query: String) async {
        let result: Result<[SearchResult], any Error>
        do { result = .success(try await fetch(query)) } catch { result = .failure(error) }
        // A request that is cancelled is forgotten at the same moment: what is found here now is another one.
        guard !Task.isCancelled else { return }
        requests[query]?.answer = result
        requests[query]?.callers.values.forEach { $0.resume(with: result) }
        Task.detached { await self.forget(query) }
    }

    private func forget(_ query: String) {
        requests[query] = nil
    }

    // MARK: - One request

    private nonisolated func fetch(_ query: String) async throws -> [SearchResult] {
        let (data, status) = try await load(Self.url(for: query))
        guard status == 200 else { throw SearchError.invalidResponse }
        return try JSONDecoder().decode([SearchResult].self, from: data)
    }

    private static func url(for query: String) -> URL {
        var components = URLComponents()
        components.scheme = "https"
        components.host = "api.example.com"
        components.path = "/search"
        components.queryItems = [URLQueryItem(name: "q", value: query)]
        // A plus sign may stay as it is in a query, but many servers read it as a space.
        components.percentEncodedQuery = components.percentEncodedQuery?.replacing("+", with: "%2B")
        return components.url!  // these parts always make a URL
    }
}
