// mutant: a subscription of its own, without a lock
// fails: UserRepositoryTests/aUserAndARequestMayMeet()
// hint: UserRepositoryTests/aUserAndARequestMayMeet() dataRace
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
    private var subscriber: AnySubscriber<User, Error>?
    private var demand = Subscribers.Demand.none
    private var user: User?
    private var task: Task<Void, Never>?

    init<S: Subscriber>(_ subscriber: S) where S.Input == User, S.Failure == Error {
        self.subscriber = AnySubscriber(subscriber)
    }

    func begin(_ fetch: @escaping () async throws -> User) {
        guard subscriber != nil else { return }
        task = Task {
            do { end(with: try await fetch()) } catch { end()?.receive(completion: .failure(error)) }
        }
    }

    func request(_ demand: Subscribers.Demand) {
        self.demand += demand
        deliver()
    }

    func cancel() {
        subscriber = nil
        task?.cancel()
    }

    private func end(with user: User) {
        self.user = user
        deliver()
    }

    private func deliver() {
        guard let user, demand > .none, let subscriber = end() else { return }
        _ = subscriber.receive(user)
        subscriber.receive(completion: .finished)
    }

    private func end() -> AnySubscriber<User, Error>? {
        defer { subscriber = nil }
        return subscriber
    }
}
