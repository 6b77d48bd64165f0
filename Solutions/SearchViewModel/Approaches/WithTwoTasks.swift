// right: one task sleeps, another one searches until the next search begins; the same text is not searched again
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
    private var number = 0
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
        number += 1
        guard text.count >= 3 else {
            results = []
            errorMessage = nil
            return
        }
        running = Task { [weak self, search, number] in
            do {
                let found = try await search(text)
                self?.show(found, nil, of: number)
            } catch {
                self?.show([], error.localizedDescription, of: number)
            }
        }
    }

    private func show(_ found: [String], _ message: String?, of number: Int) {
        guard number == self.number else { return }
        results = found
        errorMessage = message
    }
}
