import Combine

/// Searches while somebody types, and publishes what was found.
public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []

    /// - Parameters:
    ///   - scheduler: Whose time counts, and where results are published.
    ///   - search: Starts a search for a text.
    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        $searchText
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .removeDuplicates()
            .map { text -> AnyPublisher<[String], Never> in
                // A short text has an answer as well: nothing. It takes the place of the search that runs.
                guard text.count >= 3 else { return Just([]).eraseToAnyPublisher() }
                // Inside, so that a failure ends this search and not the pipeline, and so that a search that is
                // replaced has nothing waiting on the scheduler.
                return search(text)
                    .replaceError(with: [])
                    .receive(on: scheduler)
                    .eraseToAnyPublisher()
            }
            .switchToLatest()
            .assign(to: &$results)
    }
}
