// mutant: a thread of the global queue waits on a semaphore for the result of each fetch
// fails: UserRepositoryTests/aFetchBlocksNoThread()
// hint: UserRepositoryTests/aFetchBlocksNoThread() blocks
import Combine
import Foundation
import Synchronization

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
        FetchPublisher(repository: self, id: id).eraseToAnyPublisher()
    }
}

/// Starts a fetch with each subscription.
private struct FetchPublisher<Repository: UserRepositoryProtocol>: Publisher {
    typealias Output = User
    typealias Failure = any Error

    let repository: Repository
    let id: String

    func receive<S: Subscriber>(subscriber: S) where S.Input == User, S.Failure == any Error {
        let delivery = Delivery()
        delivery.open(for: AnySubscriber(subscriber))
        delivery.start { [repository, id] in try await repository.fetchUser(id: id) }
    }
}

/// Brings together a subscriber's request and the result of its fetch.
private final class Delivery: Subscription, @unchecked Sendable {
    private struct State {
        var subscriber: AnySubscriber<User, any Error>?
        var task: Task<Void, Never>?
        var isWanted = false
        var result: Result<User, any Error>?
    }

    private final class Answer: @unchecked Sendable {
        var result: Result<User, any Error>?
    }

    private let state = Mutex(State())

    func open(for subscriber: AnySubscriber<User, any Error>) {
        state.withLock { $0.subscriber = subscriber }
        subscriber.receive(subscription: self)
    }

    func start(_ fetch: @escaping () async throws -> User) {
        state.withLock { state in
            guard state.subscriber != nil else { return }
            let answer = Answer()
            let isDone = DispatchSemaphore(value: 0)
            state.task = Task {
                answer.result = await Self.result(of: fetch)
                isDone.signal()
            }
            DispatchQueue.global().async {
                isDone.wait()
                if let result = answer.result { self.arrive(result) }
            }
        }
    }

    private static func result(of fetch: () async throws -> User) async -> Result<User, any Error> {
        do {
            return .success(try await fetch())
        } catch {
            return .failure(error)
        }
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        state.withLock { $0.isWanted = true }
        deliver()
    }

    func cancel() {
        let old = empty()
        old.task?.cancel()
    }

    private func arrive(_ result: Result<User, any Error>) {
        state.withLock { state in
            guard state.subscriber != nil else { return }
            state.result = result
            state.task = nil
        }
        deliver()
    }

    private func deliver() {
        let ready = state.withLock { state -> State? in
            switch state.result {
            case nil: return nil
            case .success where !state.isWanted: return nil
            default: break
            }
            let ready = state
            state = State()
            return ready
        }
        guard let subscriber = ready?.subscriber, let result = ready?.result else { return }
        switch result {
        case .success(let user):
            _ = subscriber.receive(user)
            subscriber.receive(completion: .finished)
        case .failure(let error):
            subscriber.receive(completion: .failure(error))
        }
    }

    private func empty() -> State {
        state.withLock { state in
            let old = state
            state = State()
            return old
        }
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
