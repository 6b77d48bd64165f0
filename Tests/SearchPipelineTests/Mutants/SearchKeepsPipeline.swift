// mutant: the sink of a search captures self strongly, so a running search keeps the pipeline in memory and is never cancelled by its release
// fails: SearchPipelineTests/theReleaseCancelsTheSearchThatRuns()
// fails: SearchPipelineTests/theReleaseDiscardsTheTextThatWaits()
// hint: SearchPipelineTests/theReleaseCancelsTheSearchThatRuns() releaseCancels.kept
import Combine
import Foundation

/// Searches while somebody types, and publishes what was found.
public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []

    // Everything below is used on the scheduler only.
    private var settled: String?
    private var latest = 0
    private var running: AnyCancellable?
    private var texts: AnyCancellable?

    /// - Parameters:
    ///   - scheduler: Whose time counts, and where results are published.
    ///   - search: Starts a search for a text.
    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        texts = $searchText
            .removeDuplicates()
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .sink { [weak self] text in
                self?.settle(on: text, scheduler: scheduler, search: search)
            }
    }

    private func settle<S: Scheduler>(
        on text: String, scheduler: S, search: (String) -> AnyPublisher<[String], any Error>
    ) {
        guard text != settled else { return }
        settled = text
        latest += 1
        running?.cancel()
        running = nil

        guard text.count >= 3 else {
            results = []
            return
        }

        let number = latest
        running = search(text)
            .replaceEmpty(with: [])
            .replaceError(with: [])
            .receive(on: scheduler)
            .sink { found in
                guard self.latest == number else { return }
                self.results = found
            }
    }
}
