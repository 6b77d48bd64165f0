// mutant: a search that fails is begun a second time
// fails: SearchPipelineTests/aFailureShowsNoResults()
// hint: SearchPipelineTests/aFailureShowsNoResults() failure.again
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
                    .retry(1)
                    .catch { _ in Just([]) }
                    .receive(on: scheduler)
                    .eraseToAnyPublisher()
            }
            .switchToLatest()
            .assign(to: &$results)
    }
}
