// mutant: subscribes to the searches, and shows nothing
// fails: SearchPipelineTests/resultsAreShown()
// fails: SearchPipelineTests/newerResultsReplaceOlderOnes()
// fails: SearchPipelineXCTests/testTheNextSearchGoesOnAfterAFailure
// fails: SearchPipelineTests/aFailureShowsNoResults()
// fails: SearchPipelineTests/aLateAnswerDoesNotReplaceANewerOne()
// fails: SearchPipelineTests/aLateFailureDoesNotClearNewerResults()
// fails: SearchPipelineTests/aSearchGoesOnWhenItsTextComesBack()
// fails: SearchPipelineTests/aShortTextClearsTheResults()
// fails: SearchPipelineXCTests/testResultsArePublishedOnTheScheduler
// fails: SearchPipelineTests/nothingIsKeptAliveAfterTheRelease()
// fails: SearchPipelineTests/aSearchThatFindsNothingEmptiesTheList()
// fails: SearchPipelineTests/anAnswerThatComesWhileSomebodyTypesIsNotLost()
// fails: SearchPipelineTests/aTextThatIsShortForAMomentHasResults()
// hint: SearchPipelineTests/resultsAreShown() shown
import Combine

public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []
    private var cancellables = Set<AnyCancellable>()

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
            .switchToLatest()
            .sink { _ in }
            .store(in: &cancellables)
    }
}
