// mutant: sends with the lock held that cancelling needs
// fails: UserRepositoryTests/cancellingTheSubscriptionCancelsTheFetch()
// hint: UserRepositoryTests/cancellingTheSubscriptionCancelsTheFetch() insideReceive
import Combine
import Foundation

public struct User: Codable, Equatable, Sendable {
    public var id: String
    public var name: String

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// What the app knows of any repository.
public protocol UserRepositoryProtocol {
    func fetchUser(id: String) async throws -> User
    func fetchUserPublisher(id: String) -> AnyPublisher<User, any Error>
}

extension UserRepositoryProtocol {
    /// The same as a publisher, for the code that still uses Combine.
    public func fetchUserPublisher(id: String) -> AnyPublisher<User, any Error> {
        FetchPublisher { try await self.fetchUser(id: id) }.eraseToAnyPublisher()
    }
}

/// The repository that loads users from the server.
public final class UserRepository: UserRepositoryProtocol {
    private let load: @Sendable (URL) async throws -> Data

    /// - Parameter load: Loads what is at an address.
    public init(load: @escaping @Sendable (URL) async throws -> Data) {
        self.load = load
    }

    /// Loads a user.
    public func fetchUser(id: String) async throws -> User {
        guard let url = URL(string: "https://api.example.com/users/\(id)") else { throw URLError(.badURL) }
        let data = try await load(url)
        return try JSONDecoder().decode(User.self, from: data)
    }
}

private struct FetchPublisher: Publisher {
    typealias Output = User
    typealias Failure = any Error

    let fetch: () async throws -> User

    func receive<S: Subscriber>(subscriber: S) where S.Input == User, S.Failure == any Error {
        subscriber.receive(subscription: FetchSubscription(fetch, subscriber))
    }
}

private final class FetchSubscription<S: Subscriber>: Subscription, @unchecked Sendable
where S.Input == User, S.Failure == any Error {
    private let lock = NSLock()
    private var fetch: (() async throws -> User)?
    private var subscriber: S?
    private var task: Task<Void, Never>?

    init(_ fetch: @escaping () async throws -> User, _ subscriber: S) {
        self.fetch = fetch
        self.subscriber = subscriber
    }

    func request(_ demand: Subscribers.Demand) {
        lock.lock()
        defer { lock.unlock() }
        guard demand > .none, let fetch else { return }
        self.fetch = nil
        task = Task {
            do {
                finish(.success(try await fetch()))
            } catch {
                finish(.failure(error))
            }
        }
    }

    func cancel() {
        lock.lock()
        let running = task
        let released = subscriber
        task = nil
        fetch = nil
        subscriber = nil
        lock.unlock()
        running?.cancel()
        _ = released
    }

    private func finish(_ result: Result<User, any Error>) {
        lock.lock()
        defer { lock.unlock() }
        switch result {
        case .success(let user):
            _ = subscriber?.receive(user)
            subscriber?.receive(completion: .finished)
        case .failure(let error):
            subscriber?.receive(completion: .failure(error))
        }
        subscriber = nil
        task = nil
    }
}
