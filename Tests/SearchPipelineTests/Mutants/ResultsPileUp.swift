// mutant: adds results to those before
// fails: SearchPipelineTests/newerResultsReplaceOlderOnes()
// fails: SearchPipelineTests/aFailureShowsNoResults()
// fails: SearchPipelineTests/aShortTextClearsTheResults()
// fails: SearchPipelineTests/aSearchThatFindsNothingEmptiesTheList()
// hint: SearchPipelineTests/newerResultsReplaceOlderOnes() newer
import Combine

public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []

    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        $searchText
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
            .scan([], +)
            .assign(to: &$results)
    }
}
