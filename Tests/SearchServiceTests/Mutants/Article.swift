// mutant: the code of the migration guides: every call sends a request of its own, with the words as they are
// fails: SearchServiceTests/theWordsArriveWhateverTheyContain()
// fails: SearchServiceTests/theSameSearchSharesOneRequest()
// fails: SearchServiceTests/everySharerGetsTheAnswer()
// fails: SearchServiceTests/aSearchRightAfterTheAnswerSendsANewRequest()
// fails: SearchServiceTests/theOthersKeepTheRequest()
// fails: SearchServiceTests/theLastToLeaveCancelsTheRequest()
// fails: SearchServiceTests/theLateAnswerOfACancelledRequestReachesNobody()
// fails: SearchServiceTests/aCallerMayBeCancelledAtAnyMoment()
// fails: SearchServiceTests/aServiceThatIsNotUsedAnyMoreIsReleased()
// hint: SearchServiceTests/theWordsArriveWhateverTheyContain() words
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

    public init(load: @escaping @Sendable (URL) async throws -> (data: Data, status: Int)) {
        self.load = load
    }

    public func performSearch(query: String) async throws -> [SearchResult] {
        guard query.count >= 3 else {
            return []
        }

        let url = URL(string: "https://api.example.com/search?q=\(query)")!
        let (data, status) = try await load(url)

        guard status == 200 else {
            throw SearchError.invalidResponse
        }

        let results = try JSONDecoder().decode([SearchResult].self, from: data)
        return results
    }
}
