// mutant: the scheduled action keeps what it needs, and searches after the release
// fails: SearchPipelineTests/theReleaseDiscardsTheTextThatWaits()
// hint: SearchPipelineTests/theReleaseDiscardsTheTextThatWaits() releaseDiscards
import Combine
import Foundation

public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []

    private final class State {
        var changes = 0
        var running: AnyCancellable?
    }
    private let state = State()
    private var cancellables = Set<AnyCancellable>()

    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        let answers = PassthroughSubject<[String], Never>()
        let ended = PassthroughSubject<String, Never>()
        ended
            .removeDuplicates()
            .sink { [state] text in
                state.running = nil
                guard text.count >= 3 else { return answers.send([]) }
                state.running = search(text).replaceError(with: []).receive(on: scheduler).sink { answers.send($0) }
            }
            .store(in: &cancellables)
        answers.assign(to: &$results)
        $searchText
            .sink { [state, cancellables] text in
                state.changes += 1
                let change = state.changes
                scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(300))) {
                    if change == state.changes { withExtendedLifetime(cancellables) { ended.send(text) } }
                }
            }
            .store(in: &cancellables)
    }

    deinit {
        state.running = nil
    }
}
