// mutant: a short text never reaches the debounce
// fails: SearchPipelineTests/aTextThatIsShortenedInTimeIsNotSearched()
// fails: SearchPipelineTests/theSameTextIsSearchedAgainAfterAShortOne()
// fails: SearchPipelineTests/aShortTextClearsTheResults()
// fails: SearchPipelineTests/aShortTextCancelsTheSearchThatRuns()
// fails: SearchPipelineTests/anAnswerAfterAShortTextIsNotShown()
// fails: SearchPipelineTests/aTextThatHadAnAnswerIsSearchedAgain()
// hint: SearchPipelineTests/aTextThatIsShortenedInTimeIsNotSearched() shortened
import Combine

public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []

    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        $searchText
            .filter { $0.count >= 3 }
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .removeDuplicates()
            .map { text -> AnyPublisher<[String], Never> in
                guard text.count >= 3 else { return Just([]).eraseToAnyPublisher() }
                return search(text)
                    .replaceError(with: [])
                    .receive(on: scheduler)
                    .eraseToAnyPublisher()
            }
            .switchToLatest()
            .assign(to: &$results)
    }
}
