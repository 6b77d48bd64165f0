// right: the main actor keeps the requests and ends them
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
    private let load: @Sendable (URL) async throws -> (data: Data, status: Int)
    private let requests = Requests()

    public init(load: @escaping @Sendable (URL) async throws -> (data: Data, status: Int)) {
        self.load = load
    }

    public func performSearch(query: String) async throws -> [SearchResult] {
        guard query.count >= 3 else { return [] }
        return try await requests.wait(for: query) { [load] in
            let words = query.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? query
            let (data, status) = try await load(URL(string: "https://api.example.com/search?q=\(words)")!)
            guard status == 200 else { throw SearchError.invalidResponse }
            return try JSONDecoder().decode([SearchResult].self, from: data)
        }
    }
}

@MainActor
private final class Requests: Sendable {
    private final class Request {
        var task: Task<Void, Never>?
        var callers: [UUID: CheckedContinuation<[SearchResult], any Error>] = [:]
    }

    private var running: [String: Request] = [:]

    nonisolated init() {}

    func wait(
        for query: String, fetch: @escaping @Sendable () async throws -> [SearchResult]
    ) async throws -> [SearchResult] {
        try Task.checkCancellation()
        let request = running[query] ?? begin(query, fetch)
        let call = UUID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { request.callers[call] = $0 }
        } onCancel: {
            Task { @MainActor in leave(request, of: query, as: call) }
        }
    }

    private func begin(_ query: String, _ fetch: @escaping @Sendable () async throws -> [SearchResult]) -> Request {
        let request = Request()
        running[query] = request
        request.task = Task {
            let result: Result<[SearchResult], any Error>
            do { result = .success(try await fetch()) } catch { result = .failure(error) }
            if running[query] === request { running[query] = nil }
            request.callers.values.forEach { $0.resume(with: result) }
            request.callers = [:]
        }
        return request
    }

    private func leave(_ request: Request, of query: String, as call: UUID) {
        guard let caller = request.callers.removeValue(forKey: call) else { return }
        caller.resume(throwing: CancellationError())
        guard request.callers.isEmpty else { return }
        request.task?.cancel()
        if running[query] === request { running[query] = nil }
    }
}
