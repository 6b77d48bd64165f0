// mutant: waits for two quiet periods
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
// fails: SearchViewModelTests/aLateFailureChangesNothing()
// fails: SearchViewModelTests/aTextThatComesBackHasResults()
// fails: SearchViewModelTests/aFailureShowsNoResults()
// fails: SearchViewModelTests/newResultsClearTheMessage()
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
// hint: SearchViewModelXCTests/testOnlyTheLastTextOfABurstIsSearched burst.late
import Combine
import Foundation

@MainActor public final class SearchViewModel: ObservableObject {
    @Published public var searchText = "" {
        didSet { textChanged() }
    }
    @Published public private(set) var results: [String] = []
    @Published public private(set) var errorMessage: String?

    private let clock: any Clock<Duration>
    private let search: @Sendable (String) async throws -> [String]
    private var task: Task<Void, Never>?

    public init(
        clock: any Clock<Duration> = ContinuousClock(), search: @escaping @Sendable (String) async throws -> [String]
    ) {
        self.clock = clock
        self.search = search
    }

    deinit {
        task?.cancel()
    }

    private func textChanged() {
        task?.cancel()
        task = Task { [weak self, clock, search, text = searchText] in
            let outcome: Result<[String], any Error>
            do {
                try await clock.sleep(for: .milliseconds(300))
                try await clock.sleep(for: .milliseconds(300))
                try Task.checkCancellation()
                outcome = .success(text.count < 3 ? [] : try await search(text))
            } catch {
                outcome = .failure(error)
            }
            guard !Task.isCancelled else { return }
            self?.show(outcome)
        }
    }

    private func show(_ outcome: Result<[String], any Error>) {
        switch outcome {
        case .success(let found): (results, errorMessage) = (found, nil)
        case .failure(let error): (results, errorMessage) = ([], error.localizedDescription)
        }
    }
}
