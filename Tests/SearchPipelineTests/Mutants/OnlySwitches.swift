// mutant: the pipeline of the guides, with `switchToLatest`
// fails: SearchPipelineTests/aShortTextClearsTheResults()
// fails: SearchPipelineTests/aShortTextCancelsTheSearchThatRuns()
// fails: SearchPipelineTests/anAnswerAfterAShortTextIsNotShown()
// fails: SearchPipelineXCTests/testResultsArePublishedOnTheScheduler
// fails: SearchPipelineTests/nothingIsKeptAliveAfterTheRelease()
// fails: SearchPipelineTests/theReleaseCancelsTheSearchThatRuns()
// fails: SearchPipelineTests/theReleaseDiscardsTheTextThatWaits()
// hint: SearchPipelineTests/aShortTextClearsTheResults() clears
import Combine

public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []
    private let search: (String) -> AnyPublisher<[String], any Error>
    private var cancellables = Set<AnyCancellable>()

    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        self.search = search
        $searchText
            // Wait 300ms pause in typing
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            // Ignore consecutive duplicates
            .removeDuplicates()
            // Filter searches that are too short
            .filter { $0.count >= 3 }
            // Transform text into network request
            .map { query in
                self.search(query)
                    .catch { _ in Just([]) }
            }
            .switchToLatest()
            // Final subscription
            .sink { results in
                self.results = results
            }
            .store(in: &cancellables)
    }
}
