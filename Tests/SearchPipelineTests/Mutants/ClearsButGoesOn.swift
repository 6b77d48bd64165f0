// mutant: a short text clears the results, and the search goes on
// fails: SearchPipelineTests/aShortTextCancelsTheSearchThatRuns()
// fails: SearchPipelineTests/anAnswerAfterAShortTextIsNotShown()
// hint: SearchPipelineTests/aShortTextCancelsTheSearchThatRuns() shortCancels
import Combine

public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []
    private var cancellables = Set<AnyCancellable>()

    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        let texts =
            $searchText
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .removeDuplicates()
            .share()
        texts
            .filter { $0.count < 3 }
            .sink { [weak self] _ in self?.results = [] }
            .store(in: &cancellables)
        texts
            .filter { $0.count >= 3 }
            .map { text in search(text).replaceError(with: []).receive(on: scheduler) }
            .switchToLatest()
            .sink { [weak self] in self?.results = $0 }
            .store(in: &cancellables)
    }
}
