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
    ///
    /// Each subscription fetches for itself, from the moment it begins, and its cancellation cancels what it fetches.
    public func fetchUserPublisher(id: String) -> AnyPublisher<User, any Error> {
        FetchPublisher { try await self.fetchUser(id: id) }.eraseToAnyPublisher()
    }
}

private struct FetchPublisher: Publisher {
    typealias Output = User
    typealias Failure = any Error

    let fetch: () async throws -> User

    func receive<S: Subscriber>(subscriber: S) where S.Input == User, S.Failure == any Error {
        let subscription = FetchSubscription(to: subscriber)
        subscriber.receive(subscription: subscription)
        subscription.begin(fetch)
    }
}

/// One fetch. It begins, and what comes of it is sent, through a `Delivery`; it is cancelled at once.
private final class FetchSubscription<Downstream: Subscriber>: Subscription, @unchecked Sendable
where Downstream.Input == User, Downstream.Failure == any Error {
    private struct State {
        /// Nil after the end.
        var downstream: Downstream?
        var isAskedFor = false
        var user: User?
        var task: Task<Void, Never>?
    }

    private let state: Mutex<State>
    private let deliver = Delivery()

    init(to downstream: Downstream) {
        state = Mutex(State(downstream: downstream))
    }

    func begin(_ fetch: @escaping () async throws -> User) {
        deliver {
            self.state.withLock { state in
                // It may have been cancelled before it began.
                guard state.downstream != nil else { return }
                state.task = Task {
                    do {
                        let user = try await fetch()
                        self.deliver { self.succeed(with: user) }
                    } catch {
                        self.deliver { self.end(with: .failure(error)) }
                    }
                }
            }
        }
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        deliver {
            self.state.withLock { $0.isAskedFor = true }
            self.sendUser()
        }
    }

    func cancel() {
        takeState().task?.cancel()
    }

    private func succeed(with user: User) {
        state.withLock { state in
            state.task = nil
            if state.downstream != nil { state.user = user }
        }
        sendUser()
    }

    /// Sends the user as soon as it is there and asked for.
    private func sendUser() {
        let due: (Downstream, User)? = state.withLock { state in
            guard let downstream = state.downstream, state.isAskedFor, let user = state.user else { return nil }
            state.user = nil
            return (downstream, user)
        }
        guard let (downstream, user) = due else { return }
        _ = downstream.receive(user)
        // The subscriber may have cancelled meanwhile.
        end(with: .finished)
    }

    private func end(with completion: Subscribers.Completion<any Error>) {
        takeState().downstream?.receive(completion: completion)
    }

    private func takeState() -> State {
        state.withLock { state in
            let ended = state
            state = State()
            return ended
        }
    }
}

/// The repository that loads users from the server.
public final class UserRepository: UserRepositoryProtocol {
    private static let users = URL(string: "https://api.example.com/users")!

    private let load: @Sendable (URL) async throws -> Data
    private let deliver = Delivery()

    /// - Parameter load: Loads what is at an address.
    public init(load: @escaping @Sendable (URL) async throws -> Data) {
        self.load = load
    }

    /// Loads a user; throws the error of `load`, or a `DecodingError`.
    public func fetchUser(id: String) async throws -> User {
        let result: Result<User, any Error>
        do {
            let data = try await load(Self.users.appending(path: id))
            result = .success(try JSONDecoder().decode(User.self, from: data))
        } catch {
            result = .failure(error)
        }
        return try await withCheckedThrowingContinuation { caller in
            deliver { caller.resume(with: result) }
        }
    }
}
