// mutant: cancelling cancels the task, and what comes nevertheless is sent
// fails: UserRepositoryTests/cancellingTheSubscriptionCancelsTheFetch()
// fails: UserRepositoryTests/cancellingOneSubscriptionLeavesTheOther()
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

public protocol UserRepositoryProtocol {
    func fetchUser(id: String) async throws -> User
    func fetchUserPublisher(id: String) -> AnyPublisher<User, any Error>
}

extension UserRepositoryProtocol {
    public func fetchUserPublisher(id: String) -> AnyPublisher<User, any Error> {
        UserPublisher { try await fetchUser(id: id) }.eraseToAnyPublisher()
    }
}

public final class UserRepository: UserRepositoryProtocol {
    private static let users = URL(string: "https://api.example.com/users")!

    private let load: @Sendable (URL) async throws -> Data

    public init(load: @escaping @Sendable (URL) async throws -> Data) {
        self.load = load
    }

    public func fetchUser(id: String) async throws -> User {
        let data = try await load(Self.users.appending(path: id))
        return try JSONDecoder().decode(User.self, from: data)
    }
}

private struct UserPublisher: Publisher {
    typealias Output = User
    typealias Failure = Error

    let fetch: () async throws -> User

    func receive<S: Subscriber>(subscriber: S) where S.Input == User, S.Failure == Error {
        let fetching = Fetching(subscriber)
        subscriber.receive(subscription: fetching)
        fetching.begin(fetch)
    }
}

private final class Fetching: Subscription, @unchecked Sendable {
    private let lock = NSLock()
    private var subscriber: AnySubscriber<User, Error>?
    private var demand = Subscribers.Demand.none
    private var user: User?
    private var task: Task<Void, Never>?

    init<S: Subscriber>(_ subscriber: S) where S.Input == User, S.Failure == Error {
        self.subscriber = AnySubscriber(subscriber)
    }

    func begin(_ fetch: @escaping () async throws -> User) {
        lock.lock()
        defer { lock.unlock() }
        guard subscriber != nil else { return }
        task = Task {
            do { end(with: try await fetch()) } catch { end()?.receive(completion: .failure(error)) }
        }
    }

    func request(_ demand: Subscribers.Demand) {
        lock.withLock { self.demand += demand }
        deliver()
    }

    func cancel() {
        lock.withLock { task }?.cancel()
    }

    private func end(with user: User) {
        lock.withLock { self.user = user }
        deliver()
    }

    private func deliver() {
        lock.lock()
        guard let user, demand > .none else { return lock.unlock() }
        lock.unlock()
        guard let subscriber = end() else { return }
        _ = subscriber.receive(user)
        subscriber.receive(completion: .finished)
    }

    private func end() -> AnySubscriber<User, Error>? {
        lock.withLock {
            defer {
                subscriber = nil
                task = nil
            }
            return subscriber
        }
    }
}
