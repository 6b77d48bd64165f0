// mutant: the answer is scheduled from sink without another check, so that an earlier answer that waits on the scheduler is still shown
// fails: SearchPipelineTests/anAnswerThatWaitsIsNotShownInANewerSearch()
// hint: SearchPipelineTests/anAnswerThatWaitsIsNotShownInANewerSearch() waiting.scheduled
import Combine
import Foundation

/// Searches while somebody types, and publishes what was found.
public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []

    private var texts: AnyCancellable?
    private var running: AnyCancellable?

    /// - Parameters:
    ///   - scheduler: Whose time counts, and where results are published.
    ///   - search: Starts a search for a text.
    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        texts = $searchText
            .removeDuplicates()
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .removeDuplicates()
            .sink { [weak self] text in
                self?.begin(text, scheduler: scheduler, search: search)
            }
    }

    private func begin<S: Scheduler>(
        _ text: String, scheduler: S, search: (String) -> AnyPublisher<[String], any Error>
    ) {
        let isShort = text.count < 3
        running?.cancel()
        running = nil
        if isShort {
            results = []
            return
        }
        running = search(text)
            .sink { [weak self] completion in
                guard case .failure = completion else { return }
                scheduler.schedule { [weak self] in self?.results = [] }
            } receiveValue: { [weak self] found in
                scheduler.schedule { [weak self] in self?.results = found }
            }
    }
}
