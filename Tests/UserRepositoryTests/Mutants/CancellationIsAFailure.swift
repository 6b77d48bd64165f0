// mutant: the error of a cancelled fetch is delivered as a failure
// fails: UserRepositoryTests/cancellingTheSubscriptionCancelsTheFetch()
// hint: UserRepositoryTests/cancellingTheSubscriptionCancelsTheFetch() afterCancelling
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

extension UserRepositoryProtocol {
    /// The same as a publisher, for the code that still uses Combine.
    public func fetchUserPublisher(id: String) -> AnyPublisher<User, any Error> {
        FetchPublisher { try await self.fetchUser(id: id) }.eraseToAnyPublisher()
    }
}

private struct FetchPublisher: Publisher {
    typealias Output = User
    typealias Failure = any Error
    let fetch: () async throws -> User

    func receive<S: Subscriber>(subscriber: S) where S.Input == User, S.Failure == any Error {
        let subscription = FetchSubscription(subscriber, fetch)
        subscriber.receive(subscription: subscription)
        subscription.start()
    }
}

private final class FetchSubscription<S: Subscriber>: Subscription, @unchecked Sendable
where S.Input == User, S.Failure == any Error {
    private let lock = NSLock()
    private var subscriber: S?
    private var fetch: (() async throws -> User)?
    private var task: Task<Void, Never>?
    private var user: User?
    private var isAsked = false

    init(_ subscriber: S, _ fetch: @escaping () async throws -> User) {
        self.subscriber = subscriber
        self.fetch = fetch
    }

    func start() {
        lock.lock()
        defer { lock.unlock() }
        guard let fetch else { return }
        self.fetch = nil
        task = Task {
            do {
                let user = try await fetch()
                if Task.isCancelled { return self.end() }
                self.received(user)
            } catch {
                self.fail(error)
            }
        }
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        lock.lock()
        isAsked = true
        guard let user, let subscriber else {
            lock.unlock()
            return
        }
        self.user = nil
        lock.unlock()
        send(user, to: subscriber)
    }

    private func received(_ user: User) {
        lock.lock()
        task = nil
        guard isAsked, let subscriber else {
            if self.subscriber != nil { self.user = user }
            lock.unlock()
            return
        }
        lock.unlock()
        send(user, to: subscriber)
    }

    private func send(_ user: User, to subscriber: S) {
        _ = subscriber.receive(user)
        lock.lock()
        let isStillThere = self.subscriber != nil
        clear()
        lock.unlock()
        // It may have cancelled when it had the user.
        if isStillThere { subscriber.receive(completion: .finished) }
    }

    private func fail(_ error: any Error) {
        lock.lock()
        let subscriber = self.subscriber
        clear()
        lock.unlock()
        subscriber?.receive(completion: .failure(error))
    }

    private func clear() {
        subscriber = nil
        fetch = nil
        task = nil
        user = nil
    }

    func cancel() {
        lock.lock()
        let running = task
        if running == nil { clear() }
        lock.unlock()
        running?.cancel()
    }

    private func end() {
        lock.lock()
        clear()
        lock.unlock()
    }
}
