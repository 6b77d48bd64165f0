// mutant: searches the first text that is long enough, and no other
// fails: SearchPipelineTests/textsWithPausesAreEachSearched()
// fails: SearchPipelineTests/theSameTextIsSearchedAgainAfterAShortOne()
// fails: SearchPipelineTests/newerResultsReplaceOlderOnes()
// fails: SearchPipelineXCTests/testTheNextSearchGoesOnAfterAFailure
// fails: SearchPipelineTests/aFailureShowsNoResults()
// fails: SearchPipelineTests/aLateAnswerDoesNotReplaceANewerOne()
// fails: SearchPipelineTests/aLateFailureDoesNotClearNewerResults()
// fails: SearchPipelineTests/aNewSearchCancelsTheOneBefore()
// fails: SearchPipelineTests/aShortTextClearsTheResults()
// fails: SearchPipelineTests/aShortTextCancelsTheSearchThatRuns()
// fails: SearchPipelineTests/anAnswerAfterAShortTextIsNotShown()
// fails: SearchPipelineXCTests/testResultsArePublishedOnTheScheduler
// fails: SearchPipelineTests/aTextIsSearchedAsItWasTyped()
// fails: SearchPipelineTests/anAnswerThatWaitsIsNotShownInANewerSearch()
// fails: SearchPipelineTests/aTextThatHadAnAnswerIsSearchedAgain()
// fails: SearchPipelineTests/aSearchThatFindsNothingEmptiesTheList()
// fails: SearchPipelineTests/aTextThatWaitsDuringAFailureIsSearched()
// hint: SearchPipelineTests/textsWithPausesAreEachSearched() pauses
import Combine

public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []

    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        $searchText
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .removeDuplicates()
            .first { $0.count >= 3 }
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
