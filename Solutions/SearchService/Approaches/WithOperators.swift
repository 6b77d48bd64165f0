// right: a shared publisher, as before the migration
import Combine
import Foundation

public struct SearchResult: Codable, Equatable, Sendable {
    public var title: String

    public init(title: String) {
        self.title = title
    }
}

public enum SearchError: Error, Equatable {
    case invalidResponse
}

public actor SearchService {
    private let load: @Sendable (URL) async throws -> (data: Data, status: Int)
    private let requests = Requests()

    public init(load: @escaping @Sendable (URL) async throws -> (data: Data, status: Int)) {
        self.load = load
    }

    public func performSearch(query: String) async throws -> [SearchResult] {
        guard query.count >= 3 else { return [] }
        while true {
            let request = requests.request(for: query) { [load] in
                let address = URL(string: "https://api.example.com/search")!
                    .appending(queryItems: [URLQueryItem(name: "q", value: query)])
                let (data, status) = try await load(address)
                guard status == 200 else { throw SearchError.invalidResponse }
                return try JSONDecoder().decode([SearchResult].self, from: data)
            }
            for try await results in request.values { return results }
            // A loop that is cancelled ends without a result, as does one over a request that has just ended.
            try Task.checkCancellation()
        }
    }
}

private final class Requests: @unchecked Sendable {  // `running` is only reached with the lock held
    typealias Request = AnyPublisher<[SearchResult], any Error>

    private let lock = NSLock()
    private var running: [String: (id: UUID, request: Request)] = [:]

    func request(for query: String, fetch: @escaping @Sendable () async throws -> [SearchResult]) -> Request {
        lock.withLock {
            if let running = running[query] { return running.request }
            let id = UUID()
            // `share` begins with the first subscriber, and cancels when the last one does: both any number of times.
            let request = Deferred { Self.publisher(of: fetch) }
                .handleEvents(receiveCompletion: { [weak self] _ in self?.forget(query, id) })
                .share()
                .eraseToAnyPublisher()
            running[query] = (id, request)
            return request
        }
    }

    private func forget(_ query: String, _ id: UUID) {
        lock.withLock {
            if running[query]?.id == id { running[query] = nil }
        }
    }

    private static func publisher(of fetch: @escaping @Sendable () async throws -> [SearchResult]) -> Request {
        let subject = PassthroughSubject<[SearchResult], any Error>()
        let task = Task {
            do {
                subject.send(try await fetch())
                subject.send(completion: .finished)
            } catch {
                subject.send(completion: .failure(error))
            }
        }
        return subject.handleEvents(receiveCancel: { task.cancel() }).eraseToAnyPublisher()
    }
}
