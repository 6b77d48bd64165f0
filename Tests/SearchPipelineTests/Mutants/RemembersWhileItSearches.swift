// mutant: the text is remembered only until its search has answered
// fails: SearchPipelineTests/theSameTextIsNotSearchedTwiceInARow()
// hint: SearchPipelineTests/theSameTextIsNotSearchedTwiceInARow() same
import Combine
import Foundation

/// Searches while somebody types, and publishes what was found.
public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []

    private let search: (String) -> AnyPublisher<[String], any Error>
    /// Does something 300 ms later.
    private var wait: ((@escaping () -> Void) -> Void)!
    /// Does something on the scheduler.
    private var hop: ((@escaping () -> Void) -> Void)!
    private var observation: AnyCancellable?
    private var running: AnyCancellable?
    private var keystroke = 0
    private var round = 0
    private var runningText: String?

    /// - Parameters:
    ///   - scheduler: Whose time counts, and where results are published.
    ///   - search: Starts a search for a text.
    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        self.search = search
        wait = { work in
            scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(300)), work)
        }
        hop = { work in scheduler.schedule(work) }
        observation = $searchText.sink { [weak self] text in
            self?.changed(to: text)
        }
    }

    private func changed(to text: String) {
        keystroke += 1
        let number = keystroke
        wait { [weak self] in
            guard let self, self.keystroke == number else { return }
            self.settled(text)
        }
    }

    private func settled(_ text: String) {
        // The same search runs already.
        guard text != runningText else { return }
        round += 1
        running = nil
        runningText = nil
        guard text.count >= 3 else {
            results = []
            return
        }
        runningText = text
        let number = round
        running = search(text).sink { [weak self] completion in
            if case .failure = completion { self?.show([], of: number) }
        } receiveValue: { [weak self] found in
            self?.show(found, of: number)
        }
    }

    /// Called on any thread.
    private func show(_ found: [String], of number: Int) {
        hop { [weak self] in
            guard let self, self.round == number else { return }
            self.results = found
            self.runningText = nil
        }
    }
}
