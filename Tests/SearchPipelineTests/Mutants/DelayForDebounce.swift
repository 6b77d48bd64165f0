// mutant: delays each text instead of waiting for a pause
// fails: SearchPipelineXCTests/testOnlyTheLastTextOfABurstIsSearched
// fails: SearchPipelineTests/aTextThatIsShortenedInTimeIsNotSearched()
// fails: SearchPipelineTests/theSameTextIsNotSearchedTwiceInARow()
// fails: SearchPipelineTests/aTextThatIsShortForAMomentHasResults()
// hint: SearchPipelineXCTests/testOnlyTheLastTextOfABurstIsSearched burst.extra
import Combine

public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []

    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        $searchText
            .delay(for: .milliseconds(300), scheduler: scheduler)
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
