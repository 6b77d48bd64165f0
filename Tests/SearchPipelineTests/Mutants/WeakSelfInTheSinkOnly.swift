// mutant: a closure before the sink keeps the pipeline
// fails: SearchPipelineTests/nothingIsKeptAliveAfterTheRelease()
// fails: SearchPipelineTests/theReleaseCancelsTheSearchThatRuns()
// fails: SearchPipelineTests/theReleaseDiscardsTheTextThatWaits()
// hint: SearchPipelineTests/nothingIsKeptAliveAfterTheRelease() released
import Combine

public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []
    private let search: (String) -> AnyPublisher<[String], any Error>
    private var cancellables = Set<AnyCancellable>()

    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        self.search = search
        $searchText
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .removeDuplicates()
            .map { text -> AnyPublisher<[String], Never> in
                guard text.count >= 3 else { return Just([]).eraseToAnyPublisher() }
                return self.search(text)
                    .replaceError(with: [])
                    .receive(on: scheduler)
                    .eraseToAnyPublisher()
            }
            .switchToLatest()
            .sink { [weak self] in self?.results = $0 }
            .store(in: &cancellables)
    }
}
