// mutant: a static collection keeps the subscription
// fails: SearchPipelineTests/nothingIsKeptAliveAfterTheRelease()
// fails: SearchPipelineTests/theReleaseCancelsTheSearchThatRuns()
// fails: SearchPipelineTests/theReleaseDiscardsTheTextThatWaits()
// hint: SearchPipelineTests/nothingIsKeptAliveAfterTheRelease() released
import Combine

public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []
    private static var cancellables = Set<AnyCancellable>()

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
            .sink { [weak self] in self?.results = $0 }
            .store(in: &Self.cancellables)
    }
}
