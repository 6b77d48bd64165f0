// right: a debouncer that does not depend on the search, and a separate task for the search
import Combine
import Foundation

@MainActor public final class SearchViewModel: ObservableObject {
    @Published public var searchText = "" {
        didSet { textChanged() }
    }
    @Published public private(set) var results: [String] = []
    @Published public private(set) var errorMessage: String?

    private let debouncer: Debouncer
    private let search: @Sendable (String) async throws -> [String]
    private var lastText = ""
    private var number = 0
    private var running: Task<Void, Never>?

    public init(
        clock: any Clock<Duration> = ContinuousClock(), search: @escaping @Sendable (String) async throws -> [String]
    ) {
        debouncer = Debouncer(duration: .milliseconds(300), clock: clock)
        self.search = search
    }

    deinit {
        running?.cancel()
    }

    private func textChanged() {
        Task { [weak self, debouncer, text = searchText] in
            await debouncer.debounce { [weak self] in await self?.begin(text) }
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

/// Runs an operation when no other one has come for a while.
private actor Debouncer {
    private let duration: Duration
    private let clock: any Clock<Duration>
    private var lastCall = 0
    private var sleeping: Task<Void, Never>?

    init(duration: Duration, clock: any Clock<Duration>) {
        self.duration = duration
        self.clock = clock
    }

    deinit {
        sleeping?.cancel()
    }

    func debounce(_ operation: @escaping @Sendable () async -> Void) {
        sleeping?.cancel()
        lastCall += 1
        let call = lastCall
        sleeping = Task { [weak self, clock, duration] in
            do { try await clock.sleep(for: duration) } catch { return }
            if await self?.begins(call) == true { await operation() }
        }
    }

    private func begins(_ call: Int) -> Bool {
        guard call == lastCall else { return false }
        sleeping = nil
        return true
    }
}
