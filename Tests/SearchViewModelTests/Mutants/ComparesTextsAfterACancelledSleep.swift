// mutant: a sleep that was cancelled goes on if the text is the same again
// fails: SearchViewModelXCTests/testOnlyTheLastTextOfABurstIsSearched
// hint: SearchViewModelXCTests/testOnlyTheLastTextOfABurstIsSearched burst.comesBack
import Combine
import Foundation

/// Searches while somebody types, and publishes what was found.
@MainActor public final class SearchViewModel: ObservableObject {
    @Published public var searchText = "" {
        didSet { textChanged() }
    }
    @Published public private(set) var results: [String] = []
    @Published public private(set) var errorMessage: String?

    private let clock: any Clock<Duration>
    private let search: @Sendable (String) async throws -> [String]
    private var pause: Task<Void, Never>?
    private var running: Task<Void, Never>?
    private var number = 0

    public init(
        clock: any Clock<Duration> = ContinuousClock(), search: @escaping @Sendable (String) async throws -> [String]
    ) {
        self.clock = clock
        self.search = search
    }

    deinit {
        pause?.cancel()
        running?.cancel()
    }

    private func textChanged() {
        pause?.cancel()
        let text = searchText
        pause = Task { [weak self, clock] in
            try? await clock.sleep(for: .milliseconds(300))
            guard let self, self.searchText == text else { return }
            self.begin(text)
        }
    }

    private func begin(_ text: String) {
        running?.cancel()
        number += 1
        guard text.count >= 3 else {
            results = []
            errorMessage = nil
            return
        }
        let number = number
        running = Task { [weak self, search] in
            do {
                let found = try await search(text)
                guard let self, self.number == number else { return }
                self.results = found
                self.errorMessage = nil
            } catch {
                guard let self, self.number == number else { return }
                self.results = []
                self.errorMessage = error.localizedDescription
            }
        }
    }
}
