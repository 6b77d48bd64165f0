// right: an actor gets the texts from a stream and runs the searches
import Combine
import Foundation

public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []

    private var texts: AnyCancellable?
    private let input: AsyncStream<String>.Continuation

    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        let (stream, input) = AsyncStream.makeStream(of: String.self)
        self.input = input
        texts =
            $searchText
            .debounce(for: .milliseconds(300), scheduler: scheduler)
            .removeDuplicates()
            .sink { input.yield($0) }
        let latest = LatestSearch(search: search) { [weak self] found, token in
            scheduler.schedule {
                if !token.isCancelled { self?.results = found }
            }
        }
        Task {
            for await text in stream { await latest.search(text) }
            await latest.cancel()
        }
    }

    deinit {
        input.finish()
    }
}

/// Runs the search for the latest text.
private actor LatestSearch {
    private let makeSearch: (String) -> AnyPublisher<[String], any Error>
    private let show: ([String], Task<Void, Never>) -> Void
    private var running: Task<Void, Never>?

    init(
        search: @escaping (String) -> AnyPublisher<[String], any Error>,
        show: @escaping ([String], Task<Void, Never>) -> Void
    ) {
        makeSearch = search
        self.show = show
    }

    func search(_ text: String) {
        cancel()
        let values = text.count >= 3 ? makeSearch(text) : nil
        running = Task {
            guard let values else { return answer([]) }
            do {
                for try await found in values.values { answer(found) }
            } catch {
                answer([])
            }
        }
    }

    func cancel() {
        running?.cancel()
        running = nil
    }

    private func answer(_ found: [String]) {
        if !Task.isCancelled, let running { show(found, running) }
    }
}
