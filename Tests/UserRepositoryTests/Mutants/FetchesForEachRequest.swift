// mutant: each request starts a fetch
// fails: UserRepositoryTests/theUserIsKeptUntilItIsAskedFor()
// fails: UserRepositoryTests/aUserAndARequestMayMeet()
// hint: UserRepositoryTests/theUserIsKeptUntilItIsAskedFor() oneFetch
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
        var components = URLComponents()
        components.scheme = "https"
        components.host = "api.example.com"
        components.path = "/users/" + id
        guard let url = components.url else { throw URLError(.badURL) }
        return try await JSONDecoder().decode(User.self, from: load(url))
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
    private var isDelivering = false

    init(_ fetch: @escaping () async throws -> User, _ subscriber: S) {
        self.fetch = fetch
        self.subscriber = subscriber
    }

    func request(_ demand: Subscribers.Demand) {
        lock.lock()
        defer { lock.unlock() }
        guard demand > .none, subscriber != nil, let fetch else { return }
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
        switch result {
        case .success(let user):
            lock.lock()
            let receiver = isDelivering ? nil : subscriber
            isDelivering = true
            lock.unlock()
            guard let receiver else { return }
            _ = receiver.receive(user)
            takeSubscriber()?.receive(completion: .finished)
        case .failure(let error):
            lock.lock()
            let isLate = isDelivering
            isDelivering = true
            lock.unlock()
            if !isLate { takeSubscriber()?.receive(completion: .failure(error)) }
        }
    }

    private func takeSubscriber() -> S? {
        lock.lock()
        defer { lock.unlock() }
        let taken = subscriber
        subscriber = nil
        task = nil
        fetch = nil
        return taken
    }
}
