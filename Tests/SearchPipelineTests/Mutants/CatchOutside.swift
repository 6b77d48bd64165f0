// mutant: a failure ends the pipeline
// fails: SearchPipelineXCTests/testTheNextSearchGoesOnAfterAFailure
// fails: SearchPipelineTests/aTextThatWaitsDuringAFailureIsSearched()
// hint: SearchPipelineXCTests/testTheNextSearchGoesOnAfterAFailure goesOn
import Combine

public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []

    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        $searchText
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .removeDuplicates()
            .map { text -> AnyPublisher<[String], any Error> in
                guard text.count >= 3 else { return Just([]).setFailureType(to: (any Error).self).eraseToAnyPublisher() }
                return search(text)
                    .receive(on: scheduler)
                    .eraseToAnyPublisher()
            }
            .switchToLatest()
            .replaceError(with: [])
            .assign(to: &$results)
    }
}
