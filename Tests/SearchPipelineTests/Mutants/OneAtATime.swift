// mutant: a search waits until the one before has ended
// fails: SearchPipelineTests/textsWithPausesAreEachSearched()
// fails: SearchPipelineTests/theSameTextIsSearchedAgainAfterAShortOne()
// fails: SearchPipelineTests/aLateAnswerDoesNotReplaceANewerOne()
// fails: SearchPipelineTests/aLateFailureDoesNotClearNewerResults()
// fails: SearchPipelineTests/aNewSearchCancelsTheOneBefore()
// fails: SearchPipelineTests/aShortTextCancelsTheSearchThatRuns()
// fails: SearchPipelineTests/anAnswerAfterAShortTextIsNotShown()
// fails: SearchPipelineTests/aTextIsSearchedAsItWasTyped()
// fails: SearchPipelineTests/anAnswerThatWaitsIsNotShownInANewerSearch()
// hint: SearchPipelineTests/textsWithPausesAreEachSearched() pauses.waits
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
            .flatMap(maxPublishers: .max(1)) { $0 }
            .assign(to: &$results)
    }
}
