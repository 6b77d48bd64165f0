// right: an actor runs the latest search
import Combine
import Foundation

@MainActor public final class SearchViewModel: ObservableObject {
    @Published public var searchText = "" {
        didSet {
            number += 1
            Task { [search, text = searchText, number] in await search.begin(text, number: number) }
        }
    }
    @Published public private(set) var results: [String] = []
    @Published public private(set) var errorMessage: String?

    private var number = 0
    private let search: LatestSearch

    public init(
        clock: any Clock<Duration> = ContinuousClock(), search: @escaping @Sendable (String) async throws -> [String]
    ) {
        self.search = LatestSearch(clock: clock, search: search)
        Task { [weak self, search = self.search] in
            await search.setShow { number, found, message in
                guard let self, number == self.number else { return }
                self.results = found
                self.errorMessage = message
            }
        }
    }

    deinit {
        Task { [search] in await search.cancel() }
    }
}

private actor LatestSearch {
    typealias Show = @MainActor @Sendable (Int, [String], String?) -> Void

    private let clock: any Clock<Duration>
    private let search: @Sendable (String) async throws -> [String]
    private var show: Show?
    private var number = 0
    private var task: Task<Void, Never>?

    init(clock: any Clock<Duration>, search: @escaping @Sendable (String) async throws -> [String]) {
        self.clock = clock
        self.search = search
    }

    func setShow(_ show: @escaping Show) {
        self.show = show
    }

    func begin(_ text: String, number: Int) {
        guard number > self.number else { return }
        self.number = number
        task?.cancel()
        task = Task { [clock, search, show] in
            do {
                try await clock.sleep(for: .milliseconds(300))
                let found = text.count < 3 ? [] : try await search(text)
                await show?(number, found, nil)
            } catch {
                await show?(number, [], error.localizedDescription)
            }
        }
    }

    func cancel() {
        number = .max
        task?.cancel()
    }
}
