// mutant: an empty answer leaves the results of the search before
// fails: SearchPipelineTests/aSearchThatFindsNothingEmptiesTheList()
// hint: SearchPipelineTests/aSearchThatFindsNothingEmptiesTheList() noResults
import Combine

/// Searches while somebody types, and publishes what was found.
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
                    .filter { !$0.isEmpty }
                    .catch { _ in Just([]) }
                    .receive(on: scheduler)
                    .eraseToAnyPublisher()
            }
            .switchToLatest()
            .assign(to: &$results)
    }
}
