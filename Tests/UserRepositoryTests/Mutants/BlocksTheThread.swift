// mutant: waits for the task with a semaphore
// fails: UserRepositoryTests/aFetchBlocksNoThread()
// fails: UserRepositoryTests/cancellingTheSubscriptionCancelsTheFetch()
// fails: UserRepositoryTests/theRepositoryIsReleasedAfterTheEnd()
// fails: UserRepositoryTests/aUserAndARequestMayMeet()
// fails: UserRepositoryTests/cancellingOneSubscriptionLeavesTheOther()
// hint: UserRepositoryTests/aFetchBlocksNoThread() blocks
import Combine
import Foundation
import Dispatch

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
        Deferred {
            let fetched = Fetched()
            let fetch = Task {
                do { fetched.end(with: .success(try await fetchUser(id: id))) } catch { fetched.end(with: .failure(error)) }
            }
            return fetched.wait().publisher
                .handleEvents(receiveCancel: { fetch.cancel() })
        }
        .eraseToAnyPublisher()
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

private final class Fetched: @unchecked Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private var result: Result<User, Error> = .failure(CancellationError())

    func end(with result: Result<User, Error>) {
        self.result = result
        semaphore.signal()
    }

    func wait() -> Result<User, Error> {
        semaphore.wait()
        return result
    }
}
