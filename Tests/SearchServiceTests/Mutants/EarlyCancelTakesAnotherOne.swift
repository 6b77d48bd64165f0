// mutant: a caller who was cancelled before the call takes one away that it has not added
// fails: SearchServiceTests/aSharerWhoIsCancelledEndsAtOnce()
// hint: SearchServiceTests/aSharerWhoIsCancelledEndsAtOnce() beforehand.others
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

private typealias Load = @Sendable (URL) async throws -> (data: Data, status: Int)

private func address(of query: String) -> URL {
    var components = URLComponents(string: "https://api.example.com/search")!
    components.queryItems = [URLQueryItem(name: "q", value: query)]
    return components.url!
}

private func results(of query: String, load: Load) async throws -> [SearchResult] {
    let (data, status) = try await load(address(of: query))
    guard status == 200 else { throw SearchError.invalidResponse }
    return try JSONDecoder().decode([SearchResult].self, from: data)
}

/// Searches on the server.
public actor SearchService {
    private let board: Board

    /// - Parameter load: Sends a request, and returns the body and the status of the response.
    public init(load: @escaping @Sendable (URL) async throws -> (data: Data, status: Int)) {
        board = Board(load: load)
    }

    /// Returns what the server finds for the query.
    public func performSearch(query: String) async throws -> [SearchResult] {
        guard query.count >= 3 else { return [] }
        let board = self.board
        let caller = Caller()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { board.join(caller, query, $0) }
        } onCancel: {
            board.leave(caller, query)
        }
    }
}

private final class Caller: @unchecked Sendable {
    var continuation: CheckedContinuation<[SearchResult], any Error>?
    var request: Request?
    var isCancelled = false
}

private final class Request: @unchecked Sendable {
    let query: String
    var task: Task<Void, Never>?
    var callers: [Caller] = []
    var count = 0

    init(query: String) {
        self.query = query
    }
}

/// All requests that run. The lock guards it, the requests and the callers.
private final class Board: @unchecked Sendable {
    private let lock = NSLock()
    private let load: Load
    private var requests: [String: Request] = [:]

    init(load: @escaping Load) {
        self.load = load
    }

    func join(_ caller: Caller, _ query: String, _ continuation: CheckedContinuation<[SearchResult], any Error>) {
        lock.lock()
        if caller.isCancelled {
            lock.unlock()
            continuation.resume(throwing: CancellationError())
            return
        }
        caller.continuation = continuation
        let request = requests[query] ?? start(query)
        caller.request = request
        request.callers.append(caller)
        request.count += 1
        lock.unlock()
    }

    /// With the lock.
    private func start(_ query: String) -> Request {
        let request = Request(query: query)
        requests[query] = request
        let load = self.load
        request.task = Task {
            do {
                self.finish(request, .success(try await results(of: query, load: load)))
            } catch {
                self.finish(request, .failure(error))
            }
        }
        return request
    }

    private func finish(_ request: Request, _ result: Result<[SearchResult], any Error>) {
        lock.lock()
        if requests[request.query] === request {
            requests[request.query] = nil
        }
        let waiting = request.callers.compactMap(\.continuation)
        for caller in request.callers {
            caller.request = nil
            caller.continuation = nil
        }
        request.callers = []
        lock.unlock()
        waiting.forEach { $0.resume(with: result) }
    }

    func leave(_ caller: Caller, _ query: String) {
        lock.lock()
        caller.isCancelled = true
        let continuation = caller.continuation
        caller.continuation = nil
        var abandoned: Task<Void, Never>?
        if let request = caller.request ?? requests[query] {
            caller.request = nil
            request.callers.removeAll { $0 === caller }
            request.count -= 1
            if request.count == 0 {
                abandoned = request.task
                if requests[request.query] === request {
                    requests[request.query] = nil
                }
            }
        }
        lock.unlock()
        abandoned?.cancel()
        continuation?.resume(throwing: CancellationError())
    }
}
