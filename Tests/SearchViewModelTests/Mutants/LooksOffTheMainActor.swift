// mutant: cancellation looked at off the main actor, then a hop to it: a short text or a newer search comes between, and the late answer stays
// fails: SearchViewModelTests/anAnswerAfterAShortTextIsNotShown()
// hint: SearchViewModelTests/anAnswerAfterAShortTextIsNotShown() shortLate.busy
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
    private var lastText = ""
    private var quietPeriod: Task<Void, any Error>?
    private var running: Task<Void, Never>?

    public init(
        clock: any Clock<Duration> = ContinuousClock(), search: @escaping @Sendable (String) async throws -> [String]
    ) {
        self.clock = clock
        self.search = search
    }

    deinit {
        quietPeriod?.cancel()
        running?.cancel()
    }

    private func textChanged() {
        quietPeriod?.cancel()
        quietPeriod = Task { [weak self, clock, text = searchText] in
            try await clock.sleep(for: .milliseconds(300))
            try Task.checkCancellation()
            self?.begin(text)
        }
    }

    private func begin(_ text: String) {
        guard text != lastText else { return }
        lastText = text
        running?.cancel()
        guard text.count >= 3 else {
            results = []
            errorMessage = nil
            return
        }
        running = Task.detached { [weak self, search] in
            do {
                let found = try await search(text)
                if Task.isCancelled { return }
                await self?.show(found, nil)
            } catch {
                if Task.isCancelled { return }
                await self?.show([], error.localizedDescription)
            }
        }
    }

    private func show(_ found: [String], _ message: String?) {
        results = found
        errorMessage = message
    }
}
