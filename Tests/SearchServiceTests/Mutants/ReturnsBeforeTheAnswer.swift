// mutant: starts a task for the request, and returns what the one before has brought
// fails: SearchServiceTests/resultsComeInTheOrderOfTheServer()
// fails: SearchServiceXCTests/testTheErrorOfTheLoaderIsThrown
// fails: SearchServiceXCTests/testAnyOtherStatusIsAnInvalidResponse
// fails: SearchServiceTests/differentSearchesRunAtTheSameTime()
// fails: SearchServiceXCTests/testCancellingTheCallerCancelsItsRequest
// fails: SearchServiceTests/theSameSearchSharesOneRequest()
// fails: SearchServiceTests/everySharerGetsTheAnswer()
// fails: SearchServiceTests/whatHasEndedIsAskedForAgain()
// fails: SearchServiceTests/aSearchRightAfterTheAnswerSendsANewRequest()
// fails: SearchServiceTests/theOthersKeepTheRequest()
// fails: SearchServiceTests/aSharerWhoIsCancelledEndsAtOnce()
// fails: SearchServiceTests/theLastToLeaveCancelsTheRequest()
// fails: SearchServiceTests/aSearchAfterTheLastOneHasLeftBeginsAnew()
// fails: SearchServiceTests/theLateAnswerOfACancelledRequestReachesNobody()
// fails: SearchServiceTests/aCallerMayBeCancelledAtAnyMoment()
// fails: SearchServiceTests/aServiceThatIsNotUsedAnyMoreIsReleased()
// hint: SearchServiceTests/resultsComeInTheOrderOfTheServer() results.nothing
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
    private var results: [SearchResult] = []

    public init(load: @escaping @Sendable (URL) async throws -> (data: Data, status: Int)) {
        self.load = load
    }

    public func performSearch(query: String) async throws -> [SearchResult] {
        guard query.count >= 3 else { return [] }
        Task { results = try await fetch(query) }
        return results
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
