// mutant: an answer counts if its search was for the latest text
// fails: SearchViewModelTests/aLateAnswerDoesNotReplaceANewerOne()
// hint: SearchViewModelTests/aLateAnswerDoesNotReplaceANewerOne() late.text
import Combine
import Foundation

@MainActor public final class SearchViewModel: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []
    @Published public private(set) var errorMessage: String?

    private let search: @Sendable (String) async throws -> [String]
    private var pause: Task<Void, Never>?
    private var running: Task<Void, Never>?
    private var latest = 0
    private var searched = ""
    private var texts: AnyCancellable?

    public init(
        clock: any Clock<Duration> = ContinuousClock(), search: @escaping @Sendable (String) async throws -> [String]
    ) {
        self.search = search
        texts = $searchText.dropFirst().sink { [weak self] text in
            MainActor.assumeIsolated { self?.wait(on: clock, with: text) }
        }
    }

    deinit {
        pause?.cancel()
        running?.cancel()
    }

    private func wait<C: Clock>(on clock: C, with text: String) where C.Duration == Duration {
        pause?.cancel()
        let deadline = clock.now.advanced(by: .milliseconds(300))
        pause = Task { [weak self] in
            try? await clock.sleep(until: deadline, tolerance: nil)
            if !Task.isCancelled { self?.settle(on: text) }
        }
    }

    private func settle(on text: String) {
        guard text != searched else { return }
        searched = text
        latest += 1
        running?.cancel()
        running = nil
        guard text.count >= 3 else {
            results = []
            errorMessage = nil
            return
        }
        running = Task { [weak self, search] in
            let result: Result<[String], any Error>
            do {
                result = .success(try await search(text))
            } catch {
                result = .failure(error)
            }
            self?.end(text, result)
        }
    }

    private func end(_ text: String, _ result: Result<[String], any Error>) {
        guard text == searched else { return }
        switch result {
        case .success(let found):
            results = found
            errorMessage = nil
        case .failure(let error):
            results = []
            errorMessage = error.localizedDescription
        }
    }
}
