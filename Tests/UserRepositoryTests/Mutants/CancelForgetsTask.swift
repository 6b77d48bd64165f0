// mutant: cancel() of the subscription sets the task to nil and does not cancel it
// fails: UserRepositoryTests/cancellingTheSubscriptionCancelsTheFetch()
// fails: UserRepositoryTests/aUserAndARequestMayMeet()
// fails: UserRepositoryTests/theRepositoryIsReleasedAfterTheEnd()
// hint: UserRepositoryTests/cancellingTheSubscriptionCancelsTheFetch() cancels.subscription
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
        UserPublisher { try await self.fetchUser(id: id) }.eraseToAnyPublisher()
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
        let address = URL(string: "https://api.example.com/users")!.appendingPathComponent(id)
        let body = try await load(address)
        return try JSONDecoder().decode(User.self, from: body)
    }
}

/// Fetches a user for each subscriber that asks for one.
private struct UserPublisher: Publisher {
    typealias Output = User
    typealias Failure = any Error

    let work: () async throws -> User

    func receive<S: Subscriber>(subscriber: S) where S.Input == User, S.Failure == any Error {
        subscriber.receive(subscription: UserSubscription(subscriber, work))
    }
}

/// One fetch, which starts with the first request.
private final class UserSubscription<S: Subscriber>: Subscription, @unchecked Sendable
where S.Input == User, S.Failure == any Error {
    private let lock = NSLock()
    private var subscriber: S?
    private var work: (() async throws -> User)?
    private var hasStarted = false
    private var task: Task<Void, Never>?

    init(_ subscriber: S, _ work: @escaping () async throws -> User) {
        self.subscriber = subscriber
        self.work = work
    }

    func request(_ demand: Subscribers.Demand) {
        lock.lock()
        defer { lock.unlock() }
        guard demand > .none, subscriber != nil, !hasStarted else { return }
        hasStarted = true
        task = Task { self.deliver(await self.fetch()) }
    }

    func cancel() {
        lock.lock()
        let oldSubscriber = subscriber
        let oldWork = work
        task = nil
        subscriber = nil
        work = nil
        lock.unlock()
        withExtendedLifetime((oldSubscriber, oldWork)) {}
    }

    private func fetch() async -> Result<User, any Error> {
        guard let work = takeWork() else { return .failure(CancellationError()) }
        do {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }

    private func takeWork() -> (() async throws -> User)? {
        lock.lock()
        defer { lock.unlock() }
        let taken = work
        work = nil
        return taken
    }

    private func deliver(_ result: Result<User, any Error>) {
        switch result {
        case .success(let user):
            _ = current()?.receive(user)
            end(.finished)
        case .failure(let error):
            end(.failure(error))
        }
    }

    private func current() -> S? {
        lock.lock()
        defer { lock.unlock() }
        return subscriber
    }

    private func end(_ completion: Subscribers.Completion<any Error>) {
        lock.lock()
        let receiver = subscriber
        subscriber = nil
        task = nil
        lock.unlock()
        receiver?.receive(completion: completion)
    }
}
