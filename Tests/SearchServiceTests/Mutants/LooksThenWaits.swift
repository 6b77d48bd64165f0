// mutant: "has it left?" and "let it wait" in two steps under the lock
// fails: SearchServiceTests/aCallerMayBeCancelledAtAnyMoment()
// hint: SearchServiceTests/aCallerMayBeCancelledAtAnyMoment() raceCancel
import Foundation
import Synchronization

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
        let call = requests.call(query)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                requests.join(call, continuation) { [load] in try await Self.fetch(query, with: load) }
            }
        } onCancel: {
            requests.leave(call)
        }
    }

    private static func fetch(
        _ query: String, with load: @Sendable (URL) async throws -> (data: Data, status: Int)
    ) async throws -> [SearchResult] {
        var components = URLComponents(string: "https://api.example.com/search")!
        components.queryItems = [URLQueryItem(name: "q", value: query)]
        let (data, status) = try await load(components.url!)
        guard status == 200 else { throw SearchError.invalidResponse }
        return try JSONDecoder().decode([SearchResult].self, from: data)
    }
}

/// The requests that run, and who waits for them. A caller may be cancelled on any thread.
private final class Requests: Sendable {
    typealias Continuation = CheckedContinuation<[SearchResult], any Error>

    struct Call: Hashable {
        let query: String
        let number: Int
    }

    private struct Request {
        let number: Int
        let task: Task<Void, Never>
        var callers: [Call: Continuation]
    }

    private struct State {
        var requests: [String: Request] = [:]
        var cancelled: Set<Call> = []
        var calls = 0
    }

    private let state = Mutex(State())

    func call(_ query: String) -> Call {
        state.withLock {
            $0.calls += 1
            return Call(query: query, number: $0.calls)
        }
    }

    func join(
        _ call: Call, _ continuation: Continuation, fetch: @escaping @Sendable () async throws -> [SearchResult]
    ) {
        if state.withLock({ $0.cancelled.remove(call) != nil }) {
            return continuation.resume(throwing: CancellationError())
        }
        state.withLock { state in
            if state.requests[call.query] == nil {
                let task = Task {
                    let result: Result<[SearchResult], any Error>
                    do { result = .success(try await fetch()) } catch { result = .failure(error) }
                    self.end(call, with: result)
                }
                state.requests[call.query] = Request(number: call.number, task: task, callers: [:])
            }
            state.requests[call.query]?.callers[call] = continuation
        }
    }

    func leave(_ call: Call) {
        let (continuation, task) = state.withLock { state -> (Continuation?, Task<Void, Never>?) in
            guard let continuation = state.requests[call.query]?.callers.removeValue(forKey: call) else {
                state.cancelled.insert(call)
                return (nil, nil)
            }
            guard let request = state.requests[call.query], request.callers.isEmpty else { return (continuation, nil) }
            state.requests[call.query] = nil
            return (continuation, request.task)
        }
        task?.cancel()
        continuation?.resume(throwing: CancellationError())
    }

    private func end(_ call: Call, with result: Result<[SearchResult], any Error>) {
        let callers = state.withLock { state -> [Continuation] in
            guard let request = state.requests[call.query], request.number == call.number else { return [] }
            state.requests[call.query] = nil
            return Array(request.callers.values)
        }
        callers.forEach { $0.resume(with: result) }
    }
}
