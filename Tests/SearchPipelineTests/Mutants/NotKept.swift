// mutant: keeps no reference to the subscription
// fails: SearchPipelineXCTests/testOnlyTheLastTextOfABurstIsSearched
// fails: SearchPipelineTests/textsWithPausesAreEachSearched()
// fails: SearchPipelineTests/shortTextsAreNotSearched()
// fails: SearchPipelineTests/charactersAreCounted()
// fails: SearchPipelineTests/aTextThatIsShortenedInTimeIsNotSearched()
// fails: SearchPipelineTests/theSameTextIsNotSearchedTwiceInARow()
// fails: SearchPipelineTests/theSameTextIsSearchedAgainAfterAShortOne()
// fails: SearchPipelineTests/resultsAreShown()
// fails: SearchPipelineTests/newerResultsReplaceOlderOnes()
// fails: SearchPipelineXCTests/testTheNextSearchGoesOnAfterAFailure
// fails: SearchPipelineTests/aFailureShowsNoResults()
// fails: SearchPipelineTests/aLateAnswerDoesNotReplaceANewerOne()
// fails: SearchPipelineTests/aLateFailureDoesNotClearNewerResults()
// fails: SearchPipelineTests/aNewSearchCancelsTheOneBefore()
// fails: SearchPipelineTests/aSearchGoesOnWhenItsTextComesBack()
// fails: SearchPipelineTests/aShortTextClearsTheResults()
// fails: SearchPipelineTests/aShortTextCancelsTheSearchThatRuns()
// fails: SearchPipelineTests/anAnswerAfterAShortTextIsNotShown()
// fails: SearchPipelineXCTests/testResultsArePublishedOnTheScheduler
// fails: SearchPipelineTests/nothingIsKeptAliveAfterTheRelease()
// fails: SearchPipelineTests/theReleaseCancelsTheSearchThatRuns()
// fails: SearchPipelineTests/theReleaseDiscardsTheTextThatWaits()
// fails: SearchPipelineTests/aTextIsSearchedAsItWasTyped()
// fails: SearchPipelineTests/anAnswerThatWaitsIsNotShownInANewerSearch()
// fails: SearchPipelineTests/aTextThatHadAnAnswerIsSearchedAgain()
// fails: SearchPipelineTests/aSearchThatFindsNothingEmptiesTheList()
// fails: SearchPipelineTests/anAnswerThatComesWhileSomebodyTypesIsNotLost()
// fails: SearchPipelineTests/aTextThatIsShortForAMomentHasResults()
// fails: SearchPipelineTests/aTextThatWaitsDuringAFailureIsSearched()
// hint: SearchPipelineXCTests/testOnlyTheLastTextOfABurstIsSearched burst.nothing
import Combine

public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []

    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        _ = $searchText
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
            .sink { [weak self] in self?.results = $0 }
    }
}
