// mutant: a response without results is taken for an invalid one
// fails: SearchServiceTests/resultsComeInTheOrderOfTheServer()
// hint: SearchServiceTests/resultsComeInTheOrderOfTheServer() noResults
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
    private let board: Board

    public init(load: @escaping @Sendable (URL) async throws -> (data: Data, status: Int)) {
        board = Board(load: load)
    }

    /// Returns what the server finds for the query.
    public func performSearch(query: String) async throws -> [SearchResult] {
        guard query.count >= 3 else { return [] }
        let ticket = Ticket()
        let board = board
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                board.join(ticket, query: query, continuation: continuation)
            }
        } onCancel: {
            board.leave(ticket)
        }
    }
}

private final class Ticket: @unchecked Sendable {
    var isCancelled = false
    var request: Request?
    var continuation: CheckedContinuation<[SearchResult], any Error>?
}

private final class Request: @unchecked Sendable {
    let query: String
    var waiting: [Ticket] = []
    var task: Task<Void, Never>?
    init(query: String) { self.query = query }
}

private final class Board: @unchecked Sendable {
    private let lock = NSLock()
    private var running: [String: Request] = [:]
    private let load: @Sendable (URL) async throws -> (data: Data, status: Int)

    init(load: @escaping @Sendable (URL) async throws -> (data: Data, status: Int)) {
        self.load = load
    }

    func join(_ ticket: Ticket, query: String, continuation: CheckedContinuation<[SearchResult], any Error>) {
        lock.lock()
        if ticket.isCancelled {
            lock.unlock()
            continuation.resume(throwing: CancellationError())
            return
        }
        ticket.continuation = continuation
        if let request = running[query] {
            ticket.request = request
            request.waiting.append(ticket)
            lock.unlock()
            return
        }
        let request = Request(query: query)
        ticket.request = request
        request.waiting.append(ticket)
        running[query] = request
        request.task = Task { [load] in
            let result: Result<[SearchResult], any Error>
            do {
                result = .success(try await Self.fetch(query, load))
            } catch {
                result = .failure(error)
            }
            if case .success(let results) = result, results.isEmpty {
                self.end(request, .failure(SearchError.invalidResponse))
            } else {
                self.end(request, result)
            }
        }
        lock.unlock()
    }

    func leave(_ ticket: Ticket) {
        lock.lock()
        ticket.isCancelled = true
        guard let continuation = ticket.continuation, let request = ticket.request else {
            lock.unlock()
            return
        }
        ticket.continuation = nil
        request.waiting.removeAll { $0 === ticket }
        var cancelled: Task<Void, Never>?
        if request.waiting.isEmpty {
            cancelled = request.task
            if running[request.query] === request {
                running[request.query] = nil
            }
        }
        lock.unlock()
        cancelled?.cancel()
        continuation.resume(throwing: CancellationError())
    }

    private func end(_ request: Request, _ result: Result<[SearchResult], any Error>) {
        lock.lock()
        if running[request.query] === request {
            running[request.query] = nil
        }
        let continuations = request.waiting.compactMap { ticket in
            defer { ticket.continuation = nil }
            return ticket.continuation
        }
        request.waiting = []
        lock.unlock()
        for continuation in continuations {
            continuation.resume(with: result)
        }
    }

    private static func fetch(
        _ query: String, _ load: @Sendable (URL) async throws -> (data: Data, status: Int)
    ) async throws -> [SearchResult] {
        var components = URLComponents(string: "https://api.example.com/search")!
        components.queryItems = [URLQueryItem(name: "q", value: query)]
        let (data, status) = try await load(components.url!)
        guard status == 200 else { throw SearchError.invalidResponse }
        return try JSONDecoder().decode([SearchResult].self, from: data)
    }
}
