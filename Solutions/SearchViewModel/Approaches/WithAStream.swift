// right: a loop over a stream of texts
import Combine
import Foundation

@MainActor public final class SearchViewModel: ObservableObject {
    @Published public var searchText = "" {
        didSet { texts.yield(searchText) }
    }
    @Published public private(set) var results: [String] = []
    @Published public private(set) var errorMessage: String?

    private let texts: AsyncStream<String>.Continuation

    public init(
        clock: any Clock<Duration> = ContinuousClock(), search: @escaping @Sendable (String) async throws -> [String]
    ) {
        let (stream, texts) = AsyncStream.makeStream(of: String.self)
        self.texts = texts
        Task { [weak self] in
            var latest: Task<Void, Never>?
            for await text in stream {
                latest?.cancel()
                latest = Task {
                    let result: Result<[String], any Error>
                    do {
                        try await clock.sleep(for: .milliseconds(300))
                        result = .success(text.count >= 3 ? try await search(text) : [])
                    } catch {
                        result = .failure(error)
                    }
                    guard !Task.isCancelled, let self else { return }
                    switch result {
                    case .success(let found):
                        self.results = found
                        self.errorMessage = nil
                    case .failure(let error):
                        self.results = []
                        self.errorMessage = error.localizedDescription
                    }
                }
            }
            latest?.cancel()
        }
    }

    deinit {
        texts.finish()
    }
}
