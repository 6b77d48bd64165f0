import Combine
import Foundation

/// Searches while somebody types, and publishes what was found.
///
/// Searches begin, and their outcomes come to the main actor, through a `Delivery`.
@MainActor public final class SearchViewModel: ObservableObject {
    @Published public var searchText = "" {
        didSet { textChanged() }
    }
    @Published public private(set) var results: [String] = []
    @Published public private(set) var errorMessage: String?

    private let clock: any Clock<Duration>
    private let search: @Sendable (String) async throws -> [String]
    private let deliver = Delivery()
    /// The task of the latest text: it sleeps, then searches.
    private var task: Task<Void, Never>?

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
        task?.cancel()
    }

    private func textChanged() {
        task?.cancel()
        // The task must not keep the view model alive, or releasing it would cancel nothing.
        task = Task { [weak self, clock, search, deliver, text = searchText] in
            let outcome: Result<[String], any Error>
            do {
                try await clock.sleep(for: .milliseconds(300))
                await deliver.turn()
                try Task.checkCancellation()
                outcome = .success(text.count < 3 ? [] : try await search(text))
            } catch {
                outcome = .failure(error)
            }
            await deliver.turn()
            // Texts change on the main actor, where this runs as well: nothing can happen between the two lines.
            guard !Task.isCancelled else { return }
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

extension Delivery {
    /// Waits until it is the caller's turn.
    fileprivate func turn() async {
        await withCheckedContinuation { caller in self { caller.resume() } }
    }
}
