// right: a subscription to `$searchText`
import Combine
import Foundation

@MainActor public final class SearchViewModel: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []
    @Published public private(set) var errorMessage: String?

    private let clock: any Clock<Duration>
    private let search: @Sendable (String) async throws -> [String]
    private var texts: AnyCancellable?
    private var task: Task<Void, Never>?

    public init(
        clock: any Clock<Duration> = ContinuousClock(), search: @escaping @Sendable (String) async throws -> [String]
    ) {
        self.clock = clock
        self.search = search
        texts = $searchText.dropFirst().sink { [weak self] in self?.textChanged(to: $0) }
    }

    deinit {
        task?.cancel()
    }

    private func textChanged(to text: String) {
        task?.cancel()
        task = Task { [weak self, clock, search] in
            let outcome: Result<[String], any Error>
            do {
                try await clock.sleep(for: .milliseconds(300))
                try Task.checkCancellation()
                outcome = .success(text.count < 3 ? [] : try await search(text))
            } catch {
                outcome = .failure(error)
            }
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
