// mutant: a short text clears the results and cancels the search at once
// fails: SearchPipelineTests/aTextThatIsShortForAMomentHasResults()
// hint: SearchPipelineTests/aTextThatIsShortForAMomentHasResults() shortForAMoment
import Combine

/// Searches while somebody types, and publishes what was found.
public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []
    private var texts: AnyCancellable?
    private var running: AnyCancellable?
    private var shortTexts: AnyCancellable?

    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        texts = $searchText
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .removeDuplicates()
            .sink { [weak self] text in
                self?.begin(text, scheduler, search)
            }
        shortTexts = $searchText.dropFirst().filter { $0.count < 3 }.sink { [weak self] _ in
            self?.running?.cancel()
            self?.results = []
        }
    }

    private func begin<S: Scheduler>(
        _ text: String, _ scheduler: S, _ search: (String) -> AnyPublisher<[String], any Error>
    ) {
        running?.cancel()
        guard text.count >= 3 else {
            results = []
            return
        }
        running = search(text)
            .receive(on: scheduler)
            .sink { [weak self] completion in
                if case .failure = completion { self?.results = [] }
            } receiveValue: { [weak self] found in
                self?.results = found
            }
    }
}
