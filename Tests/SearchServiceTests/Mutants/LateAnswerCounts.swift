// mutant: the answer of a cancelled request goes to whoever asks for the same now
// fails: SearchServiceTests/aSearchAfterTheLastOneHasLeftBeginsAnew()
// fails: SearchServiceTests/theLateAnswerOfACancelledRequestReachesNobody()
// hint: SearchServiceTests/aSearchAfterTheLastOneHasLeftBeginsAnew() moment.late
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
    private typealias Caller = CheckedContinuation<[SearchResult], any Error>

    private struct Request {
        let task: Task<Void, Never>
        var callers: [Int: Caller] = [:]
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
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { caller in join(query, as: call, caller) }
        } onCancel: {
            Task { await leave(query, as: call) }
        }
    }

    private func join(_ query: String, as call: Int, _ caller: Caller) {
        if requests[query] == nil {
            requests[query] = Request(task: Task { await run(query) })
        }
        requests[query]?.callers[call] = caller
    }

    private func leave(_ query: String, as call: Int) {
        guard let caller = requests[query]?.callers.removeValue(forKey: call) else { return }
        caller.resume(throwing: CancellationError())
        if requests[query]?.callers.isEmpty == true {
            requests.removeValue(forKey: query)?.task.cancel()
        }
    }

    private func run(_ query: String) async {
        let result: Result<[SearchResult], any Error>
        do { result = .success(try await fetch(query)) } catch { result = .failure(error) }
        requests.removeValue(forKey: query)?.callers.values.forEach { $0.resume(with: result) }
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
