// mutant: a CancellationError of the fetch is taken for the end
// fails: UserRepositoryTests/thePublisherFailsWithTheErrorAsItIs()
// hint: UserRepositoryTests/thePublisherFailsWithTheErrorAsItIs() ownCancellation
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
        UserStreamPublisher { () -> AsyncThrowingStream<User, any Error> in
            AsyncThrowingStream { continuation in
                let task = Task {
                    do {
                        continuation.yield(try await self.fetchUser(id: id))
                        continuation.finish()
                    } catch is CancellationError {
                        continuation.finish()
                    } catch {
                        continuation.finish(throwing: error)
                    }
                }
                continuation.onTermination = { reason in
                    if case .cancelled = reason { task.cancel() }
                }
            }
        }
        .eraseToAnyPublisher()
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

private struct UserStreamPublisher: Publisher {
    typealias Output = User
    typealias Failure = any Error

    let open: () -> AsyncThrowingStream<User, any Error>

    func receive<S: Subscriber>(subscriber: S) where S.Input == User, S.Failure == any Error {
        subscriber.receive(subscription: Reader(open, subscriber))
    }

    private final class Reader<S: Subscriber>: Subscription, @unchecked Sendable
    where S.Input == User, S.Failure == any Error {
        private struct State {
            var open: (() -> AsyncThrowingStream<User, any Error>)?
            var subscriber: S?
            var task: Task<Void, Never>?
        }
        private let lock = NSLock()
        private var state: State

        init(_ open: @escaping () -> AsyncThrowingStream<User, any Error>, _ subscriber: S) {
            state = State(open: open, subscriber: subscriber)
        }

        func request(_ demand: Subscribers.Demand) {
            lock.lock()
            defer { lock.unlock() }
            guard demand > .none, let open = state.open else { return }
            state.open = nil
            state.task = Task {
                do {
                    for try await user in open() {
                        _ = self.current()?.receive(user)
                    }
                    self.take()?.receive(completion: .finished)
                } catch {
                    self.take()?.receive(completion: .failure(error))
                }
            }
        }

        func cancel() {
            lock.lock()
            let old = state
            state = State()
            lock.unlock()
            old.task?.cancel()
        }

        private func current() -> S? {
            lock.lock()
            defer { lock.unlock() }
            return state.subscriber
        }

        private func take() -> S? {
            lock.lock()
            defer { lock.unlock() }
            let subscriber = state.subscriber
            state = State()
            return subscriber
        }
    }
}
