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
///
/// Requests begin and callers go on through a `Delivery`; what is cancelled is cancelled at once.
public actor SearchService {
    private typealias Caller = CheckedContinuation<[SearchResult], any Error>

    private struct Request {
        let task: Task<Void, Never>
        var callers: [Int: Caller] = [:]
    }

    private let load: @Sendable (URL) async throws -> (data: Data, status: Int)
    private let deliver = Delivery()
    /// The requests that run, by their query.
    private var requests: [String: Request] = [:]
    private var lastCall = 0

    /// - Parameter load: Sends a request, and returns the body and the status of the response.
    public init(load: @escaping @Sendable (URL) async throws -> (data: Data, status: Int)) {
        self.load = load
    }

    /// Returns what the server finds for the query, in the server's order; nothing for fewer than three characters.
    public func performSearch(query: String) async throws -> [SearchResult] {
        guard query.count >= 3 else {
            await deliver.turn()
            return []
        }
        try Task.checkCancellation()
        lastCall += 1
        let call = lastCall
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { caller in join(query, as: call, caller) }
        } onCancel: {
            Task { await leave(query, as: call) }
        }
    }

    private func join(_ query: String, as call: Int, _ caller: Caller) {
        if requests[query] == nil {
            let task = Task { [deliver] in
                await deliver.turn()
                await run(query)
            }
            requests[query] = Request(task: task)
        }
        requests[query]?.callers[call] = caller
    }

    private func leave(_ query: String, as call: Int) {
        guard let caller = requests[query]?.callers.removeValue(forKey: call) else { return }
        if requests[query]?.callers.isEmpty == true {
            requests.removeValue(forKey: query)?.task.cancel()
        }
        deliver { caller.resume(throwing: CancellationError()) }
    }

    private func run(_ query: String) async {
        // Everybody may have left before the request began.
        guard !Task.isCancelled else { return }
        let result: Result<[SearchResult], any Error>
        do { result = .success(try await fetch(query)) } catch { result = .failure(error) }
        // A request that is cancelled is forgotten at the same moment: what is found here now is another one.
        guard !Task.isCancelled else { return }
        for caller in requests.removeValue(forKey: query)?.callers.values.map({ $0 }) ?? [] {
            deliver { caller.resume(with: result) }
        }
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

extension Delivery {
    /// Waits until it is the caller's turn.
    fileprivate func turn() async {
        await withCheckedContinuation { caller in self { caller.resume() } }
    }
}
