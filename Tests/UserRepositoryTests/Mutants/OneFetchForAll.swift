// mutant: the publisher keeps the task of its first fetch and gives its result to every later subscription
// fails: UserRepositoryTests/eachSubscriptionFetchesForItself()
// fails: UserRepositoryTests/cancellingOneSubscriptionLeavesTheOther()
// hint: UserRepositoryTests/eachSubscriptionFetchesForItself() itself.subscription
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
        let first = FirstFetch()
        return UserPublisher { try await first.user { try await self.fetchUser(id: id) } }.eraseToAnyPublisher()
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

/// The fetch of a publisher.
private final class FirstFetch: @unchecked Sendable {
    private let lock = NSLock()
    private var task: Task<User, any Error>?

    func user(_ fetch: @escaping () async throws -> User) async throws -> User {
        let task = start(fetch)
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func start(_ fetch: @escaping () async throws -> User) -> Task<User, any Error> {
        lock.lock()
        defer { lock.unlock() }
        if let task { return task }
        let new = Task { try await fetch() }
        task = new
        return new
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
        let running = task
        let oldSubscriber = subscriber
        let oldWork = work
        task = nil
        subscriber = nil
        work = nil
        lock.unlock()
        running?.cancel()
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
