// mutant: the code of the migration guides, called when the text changes
// fails: SearchViewModelTests/aLateAnswerDoesNotReplaceANewerOne()
// fails: SearchViewModelTests/aCancellationIsNoFailure()
// fails: SearchViewModelTests/anErrorOfACancelledSearchIsNoFailure()
// fails: SearchViewModelTests/aLateFailureChangesNothing()
// fails: SearchViewModelTests/aFailureShowsNoResults()
// fails: SearchViewModelTests/newResultsClearTheMessage()
// fails: SearchViewModelTests/aShortTextClearsTheMessage()
// fails: SearchViewModelTests/anAnswerAfterAShortTextIsNotShown()
// fails: SearchViewModelTests/theReleaseCancelsTheSearchThatRuns()
// hint: SearchViewModelTests/aLateAnswerDoesNotReplaceANewerOne() late
import Combine
import Foundation

@MainActor public final class SearchViewModel: ObservableObject {
    @Published public var searchText = "" {
        didSet { onSearchTextChanged(searchText) }
    }
    @Published public private(set) var results: [String] = []
    @Published public private(set) var errorMessage: String?

    private let debouncer: Debouncer
    private let search: @Sendable (String) async throws -> [String]

    public init(
        clock: any Clock<Duration> = ContinuousClock(), search: @escaping @Sendable (String) async throws -> [String]
    ) {
        debouncer = Debouncer(duration: .milliseconds(300), clock: clock)
        self.search = search
    }

    func onSearchTextChanged(_ text: String) {
        Task {
            await debouncer.debounce { [weak self] in
                guard let self else { return }
                await self.performSearch(text)
            }
        }
    }

    private func performSearch(_ query: String) async {
        guard query.count >= 3 else {
            results = []
            return
        }

        do {
            results = try await search(query)
        } catch {
            // Error handling
            errorMessage = error.localizedDescription
        }
    }
}

/// The debouncer of the guides.
actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var task: Task<Void, Never>?

    init(duration: Duration, clock: any Clock<Duration>) {
        self.duration = duration
        self.clock = clock
    }

    func debounce(_ operation: @escaping @Sendable () async -> Void) {
        task?.cancel()

        task = Task {
            do {
                try await clock.sleep(for: duration)
                await operation()
            } catch {
            }
        }
    }
}
