// mutant: `assign(to:on:)` keeps the pipeline
// fails: SearchPipelineTests/nothingIsKeptAliveAfterTheRelease()
// fails: SearchPipelineTests/theReleaseCancelsTheSearchThatRuns()
// fails: SearchPipelineTests/theReleaseDiscardsTheTextThatWaits()
// hint: SearchPipelineTests/nothingIsKeptAliveAfterTheRelease() released
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
            .assign(to: \.results, on: self)
            .store(in: &cancellables)
    }
}
