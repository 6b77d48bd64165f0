// mutant: after the pause, compares the text with the one in the field, and cancels nothing
// fails: SearchViewModelXCTests/testOnlyTheLastTextOfABurstIsSearched
// fails: SearchViewModelTests/aNewSearchCancelsTheOneBefore()
// fails: SearchViewModelTests/aShortTextCancelsTheSearchThatRuns()
// fails: SearchViewModelTests/aLateAnswerDoesNotReplaceANewerOne()
// hint: SearchViewModelXCTests/testOnlyTheLastTextOfABurstIsSearched burst.comesBack
import Combine
import Foundation

@MainActor public final class SearchViewModel: ObservableObject {
    @Published public var searchText = "" {
        didSet { textChanged() }
    }
    @Published public private(set) var results: [String] = []
    @Published public private(set) var errorMessage: String?

    private let clock: any Clock<Duration>
    private let search: @Sendable (String) async throws -> [String]
    private var task: Task<Void, Never>?

    public init(
        clock: any Clock<Duration> = ContinuousClock(), search: @escaping @Sendable (String) async throws -> [String]
    ) {
        self.clock = clock
        self.search = search
    }

    deinit {
        task?.cancel()
    }

    private func textChanged() {
        task = Task { [weak self, clock, search, text = searchText] in
            let outcome: Result<[String], any Error>
            do {
                try await clock.sleep(for: .milliseconds(300))
                guard text == self?.searchText else { return }
                outcome = .success(text.count < 3 ? [] : try await search(text))
            } catch {
                outcome = .failure(error)
            }
            guard text == self?.searchText else { return }
            self?.show(outcome)
        }
    }

    private func show(_ outcome: Result<[String], any Error>) {
        switch outcome {
        case .success(let found): (results, errorMessage) = (found, nil)
        case .failure(let error): (results, errorMessage) = ([], error.localizedDescription)
        }
    }
}
