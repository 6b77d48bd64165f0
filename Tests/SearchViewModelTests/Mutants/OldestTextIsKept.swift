// mutant: the stream keeps the oldest waiting text instead of the newest, so the last text of a burst is lost
// fails: SearchViewModelXCTests/testOnlyTheLastTextOfABurstIsSearched
// fails: SearchViewModelTests/typingShowsNoMessage()
// hint: SearchViewModelXCTests/testOnlyTheLastTextOfABurstIsSearched burst.lost
import Combine
import Foundation

/// Searches while somebody types, and publishes what was found.
@MainActor public final class SearchViewModel: ObservableObject {
    @Published public var searchText = "" {
        didSet {
            guard searchText != oldValue else { return }
            revision += 1
            input.yield(Typed(text: searchText, revision: revision, pause: clock.pauseFromNow(of: .milliseconds(300))))
        }
    }
    @Published public private(set) var results: [String] = []
    @Published public private(set) var errorMessage: String?

    private struct Typed: Sendable {
        let text: String
        let revision: Int
        let pause: @Sendable () async throws -> Void
    }

    private let clock: any Clock<Duration>
    private let search: @Sendable (String) async throws -> [String]
    private let input: AsyncStream<Typed>.Continuation
    private let searching = TaskSlot()
    private let waiting = TaskSlot()
    private var revision = 0

    /// - Parameters:
    ///   - clock: Whose time counts.
    ///   - search: Finds what belongs to a text.
    public init(
        clock: any Clock<Duration> = ContinuousClock(), search: @escaping @Sendable (String) async throws -> [String]
    ) {
        let (texts, input) = AsyncStream.makeStream(of: Typed.self, bufferingPolicy: .bufferingOldest(1))
        self.clock = clock
        self.search = search
        self.input = input
        waiting.replace(
            with: Task { [weak self] in
                for await typed in texts {
                    try? await typed.pause()
                    guard !Task.isCancelled else { return }
                    self?.settle(on: typed)
                }
            })
    }

    deinit {
        input.finish()
    }

    private func settle(on typed: Typed) {
        guard typed.revision == revision else { return }
        let text = typed.text

        guard text.count >= 3 else {
            searching.replace(with: nil)
            show(.success([]))
            return
        }
        searching.replace(
            with: Task { [weak self, search] in
                let outcome: Result<[String], any Error>
                do {
                    outcome = .success(try await search(text))
                } catch {
                    outcome = .failure(error)
                }
                guard !Task.isCancelled else { return }
                self?.show(outcome)
            })
    }

    private func show(_ outcome: Result<[String], any Error>) {
        switch outcome {
        case .success(let found):
            results = found
            errorMessage = nil
        case .failure(let error):
            results = []
            errorMessage = error.localizedDescription
        }
    }
}

/// Holds at most one task, and cancels it when another one takes its place and at the end.
private final class TaskSlot: @unchecked Sendable {
    private let lock = NSLock()
    private var task: Task<Void, Never>?

    deinit {
        task?.cancel()
    }

    func replace(with next: Task<Void, Never>?) {
        lock.lock()
        let previous = task
        task = next
        lock.unlock()
        previous?.cancel()
    }
}

extension Clock where Duration == Swift.Duration {
    /// A pause that ends at the same time, whenever it is called.
    fileprivate func pauseFromNow(of duration: Duration) -> @Sendable () async throws -> Void {
        let end = now.advanced(by: duration)
        return { try await sleep(until: end, tolerance: nil) }
    }
}
