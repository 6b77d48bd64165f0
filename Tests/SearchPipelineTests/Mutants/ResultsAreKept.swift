// mutant: results are kept for each text, and a text that was searched before is not searched again
// fails: SearchPipelineTests/aTextThatHadAnAnswerIsSearchedAgain()
// hint: SearchPipelineTests/aTextThatHadAnAnswerIsSearchedAgain() searchedAgain
import Combine

/// Searches while somebody types, and publishes what was found.
public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []

    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        var cache: [String: [String]] = [:]
        $searchText
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .removeDuplicates()
            .map { text -> AnyPublisher<[String], Never> in
                guard text.count >= 3 else { return Just([]).eraseToAnyPublisher() }
                if let found = cache[text] { return Just(found).receive(on: scheduler).eraseToAnyPublisher() }
                return search(text)
                    .receive(on: scheduler)
                    .handleEvents(receiveOutput: { cache[text] = $0 })
                    .catch { _ in Just([]) }
                    .receive(on: scheduler)
                    .eraseToAnyPublisher()
            }
            .switchToLatest()
            .assign(to: &$results)
    }
}
