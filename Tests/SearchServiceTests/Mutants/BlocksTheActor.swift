// mutant: waits for its request with a semaphore
// fails: SearchServiceTests/differentSearchesRunAtTheSameTime()
// fails: SearchServiceXCTests/testCancellingTheCallerCancelsItsRequest
// fails: SearchServiceTests/theWordsArriveWhateverTheyContain()
// fails: SearchServiceTests/theSameSearchSharesOneRequest()
// fails: SearchServiceTests/everySharerGetsTheAnswer()
// fails: SearchServiceTests/aSearchRightAfterTheAnswerSendsANewRequest()
// fails: SearchServiceTests/theOthersKeepTheRequest()
// fails: SearchServiceTests/aSharerWhoIsCancelledEndsAtOnce()
// fails: SearchServiceTests/theLastToLeaveCancelsTheRequest()
// fails: SearchServiceTests/aSearchAfterTheLastOneHasLeftBeginsAnew()
// fails: SearchServiceTests/theLateAnswerOfACancelledRequestReachesNobody()
// fails: SearchServiceTests/aCallerMayBeCancelledAtAnyMoment()
// fails: SearchServiceTests/aServiceThatIsNotUsedAnyMoreIsReleased()
// hint: SearchServiceTests/differentSearchesRunAtTheSameTime() sameTime.blocked
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
        return try wait(for: query)
    }

    private func wait(for query: String) throws -> [SearchResult] {
        let ended = DispatchSemaphore(value: 0)
        let box = Box()
        Task.detached {
            do { box.result = .success(try await self.fetch(query)) } catch { box.result = .failure(error) }
            ended.signal()
        }
        ended.wait()
        return try box.result.get()
    }

    private final class Box: @unchecked Sendable {
        var result: Result<[SearchResult], any Error> = .success([])
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
        guard !Task.isCancelled else { return }
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
