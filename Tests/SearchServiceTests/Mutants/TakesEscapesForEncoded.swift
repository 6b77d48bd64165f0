// mutant: takes a query that could be percent-encoded for an encoded one
// fails: SearchServiceTests/theWordsArriveWhateverTheyContain()
// hint: SearchServiceTests/theWordsArriveWhateverTheyContain() words
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

/// Searches on the server.
public actor SearchService {
    private let desk: Desk

    /// - Parameter load: Sends a request, and returns the body and the status of the response.
    public init(load: @escaping @Sendable (URL) async throws -> (data: Data, status: Int)) {
        desk = Desk(load: load)
    }

    /// Returns what the server finds for the query.
    public func performSearch(query: String) async throws -> [SearchResult] {
        guard query.count >= 3 else { return [] }
        let caller = UUID()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                desk.join(caller, continuation, query: query)
            }
        } onCancel: { [desk] in
            desk.leave(caller, query: query)
        }
    }
}

/// All requests that run.
private final class Desk: @unchecked Sendable {
    private struct Entry {
        var id: UUID
        var task: Task<Void, Never>
        var waiting: [UUID: CheckedContinuation<[SearchResult], any Error>]
    }

    private let load: @Sendable (URL) async throws -> (data: Data, status: Int)
    private let lock = NSLock()
    private var entries: [String: Entry] = [:]

    init(load: @escaping @Sendable (URL) async throws -> (data: Data, status: Int)) {
        self.load = load
    }

    func join(_ caller: UUID, _ continuation: CheckedContinuation<[SearchResult], any Error>, query: String) {
        lock.lock()
        if Task.isCancelled {
            lock.unlock()
            continuation.resume(throwing: CancellationError())
            return
        }
        if entries[query] != nil {
            entries[query]?.waiting[caller] = continuation
        } else {
            let id = UUID()
            let task = Task.detached { [load] in
                do {
                    let (data, status) = try await load(Self.url(for: query))
                    guard status == 200 else { throw SearchError.invalidResponse }
                    let found = try JSONDecoder().decode([SearchResult].self, from: data)
                    self.end(id, query: query, .success(found))
                } catch {
                    self.end(id, query: query, .failure(error))
                }
            }
            entries[query] = Entry(id: id, task: task, waiting: [caller: continuation])
        }
        lock.unlock()
    }

    func leave(_ caller: UUID, query: String) {
        lock.lock()
        guard let continuation = entries[query]?.waiting.removeValue(forKey: caller) else {
            lock.unlock()
            return
        }
        var abandoned: Entry?
        if entries[query]?.waiting.isEmpty == true {
            abandoned = entries.removeValue(forKey: query)
        }
        lock.unlock()
        abandoned?.task.cancel()
        continuation.resume(throwing: CancellationError())
    }

    private func end(_ id: UUID, query: String, _ result: Result<[SearchResult], any Error>) {
        lock.lock()
        guard let entry = entries[query], entry.id == id else {
            lock.unlock()
            return
        }
        entries[query] = nil
        lock.unlock()
        for continuation in entry.waiting.values {
            continuation.resume(with: result)
        }
    }

    private static func url(for query: String) -> URL {
        var components = URLComponents(string: "https://api.example.com/search")!
        if let plain = query.removingPercentEncoding, plain != query,
            let url = URL(string: "https://api.example.com/search?q=" + query.replacingOccurrences(of: "&", with: "%26")),
            URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems?.first?.value == plain
        {
            return url
        }
        components.queryItems = [URLQueryItem(name: "q", value: query)]
        return components.url!
    }
}
