// mutant: waits for 200 ms
// fails: SearchPipelineXCTests/testOnlyTheLastTextOfABurstIsSearched
// fails: SearchPipelineTests/textsWithPausesAreEachSearched()
// fails: SearchPipelineTests/aTextThatWaitsDuringAFailureIsSearched()
// hint: SearchPipelineXCTests/testOnlyTheLastTextOfABurstIsSearched burst.early
import Combine

public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []

    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        $searchText
            .debounce(for: .milliseconds(200), scheduler: scheduler)
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
