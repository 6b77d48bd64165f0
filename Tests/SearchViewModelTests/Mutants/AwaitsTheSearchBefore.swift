// mutant: a search waits until the one before has noticed its cancellation
// fails: SearchViewModelTests/aLateAnswerDoesNotReplaceANewerOne()
// fails: SearchViewModelTests/aLateFailureChangesNothing()
// hint: SearchViewModelTests/aLateAnswerDoesNotReplaceANewerOne() pauses.waits
import Combine
import Foundation

/// Searches while somebody types, and publishes what was found.
@MainActor public final class SearchViewModel: ObservableObject {
    @Published public var searchText = "" {
        didSet { textDidChange() }
    }
    @Published public private(set) var results: [String] = []
    @Published public private(set) var errorMessage: String?

    private let clock: any Clock<Duration>
    private let search: @Sendable (String) async throws -> [String]
    private var waiting: Task<Void, Never>?
    private var searching: Task<Void, Never>?
    private var number = 0

    /// - Parameters:
    ///   - clock: Whose time counts.
    ///   - search: Finds what belongs to a text.
    public init(
        clock: any Clock<Duration> = ContinuousClock(), search: @escaping @Sendable (String) async throws -> [String]
    ) {
        self.clock = clock
        self.search = search
    }

    deinit {
        waiting?.cancel()
        searching?.cancel()
    }

    private func textDidChange() {
        waiting?.cancel()
        let text = searchText
        waiting = Task { [weak self, clock] in
            do {
                try await clock.sleep(for: .milliseconds(300))
            } catch {
                return
            }
            guard !Task.isCancelled else { return }
            self?.begin(text)
        }
    }

    private func begin(_ text: String) {
        number += 1
        let previous = searching
        previous?.cancel()
        searching = nil
        guard text.count >= 3 else {
            results = []
            errorMessage = nil
            return
        }
        searching = Task { [weak self, search, number] in
            await previous?.value
            guard !Task.isCancelled else { return }
            let answer: Result<[String], any Error>
            do {
                answer = .success(try await search(text))
            } catch {
                answer = .failure(error)
            }
            self?.show(answer, of: number)
        }
    }

    private func show(_ answer: Result<[String], any Error>, of number: Int) {
        guard number == self.number else { return }
        switch answer {
        case .success(let found):
            results = found
            errorMessage = nil
        case .failure(let error):
            results = []
            errorMessage = error.localizedDescription
        }
    }
}
