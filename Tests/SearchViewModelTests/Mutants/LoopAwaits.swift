// mutant: one loop takes a text, sleeps, searches, and then takes the next text
// fails: SearchViewModelXCTests/testOnlyTheLastTextOfABurstIsSearched
// fails: SearchViewModelTests/textsWithPausesAreEachSearched()
// fails: SearchViewModelTests/shortTextsAreNotSearched()
// fails: SearchViewModelTests/charactersAreCounted()
// fails: SearchViewModelTests/aTextThatIsShortenedInTimeIsNotSearched()
// fails: SearchViewModelTests/resultsAreShown()
// fails: SearchViewModelTests/newerResultsReplaceOlderOnes()
// fails: SearchViewModelTests/aFailureShowsItsMessage()
// fails: SearchViewModelXCTests/testTheNextSearchGoesOnAfterAFailure
// fails: SearchViewModelTests/aLateAnswerDoesNotReplaceANewerOne()
// fails: SearchViewModelTests/aNewSearchCancelsTheOneBefore()
// fails: SearchViewModelTests/aCancellationIsNoFailure()
// fails: SearchViewModelTests/anErrorOfACancelledSearchIsNoFailure()
// fails: SearchViewModelTests/aFailureShowsNoResults()
// fails: SearchViewModelTests/newResultsClearTheMessage()
// fails: SearchViewModelTests/aLateFailureChangesNothing()
// fails: SearchViewModelTests/aShortTextClearsTheResults()
// fails: SearchViewModelTests/aShortTextClearsTheMessage()
// fails: SearchViewModelTests/aShortTextCancelsTheSearchThatRuns()
// fails: SearchViewModelTests/anAnswerAfterAShortTextIsNotShown()
// fails: SearchViewModelTests/nothingIsKeptAliveAfterTheRelease()
// fails: SearchViewModelTests/theReleaseCancelsTheSearchThatRuns()
// fails: SearchViewModelTests/theReleaseDiscardsTheTextThatWaits()
// fails: SearchViewModelTests/aTextIsSearchedAsItWasTyped()
// fails: SearchViewModelTests/anAnswerThatComesWhileSomebodyTypesIsNotLost()
// fails: SearchViewModelTests/aTextThatIsShortForAMomentHasResults()
// fails: SearchViewModelTests/aSearchThatFindsNothingEmptiesTheList()
// hint: SearchViewModelXCTests/testOnlyTheLastTextOfABurstIsSearched burst.other
import Combine
import Foundation

@MainActor public final class SearchViewModel: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []
    @Published public private(set) var errorMessage: String?

    private var loop: Task<Void, Never>?

    public init(
        clock: any Clock<Duration> = ContinuousClock(), search: @escaping @Sendable (String) async throws -> [String]
    ) {
        loop = Task { [weak self, texts = $searchText] in
            for await text in texts.values {
                do {
                    try await clock.sleep(for: .milliseconds(300))
                    self?.results = text.count < 3 ? [] : try await search(text)
                    self?.errorMessage = nil
                } catch {
                    self?.results = []
                    self?.errorMessage = error.localizedDescription
                }
            }
        }
    }

    deinit {
        loop?.cancel()
    }
}
