// mutant: the list of what runs is cleared when a user comes, and not after a failure
// fails: UserRepositoryTests/theRepositoryIsReleasedAfterTheEnd()
// hint: UserRepositoryTests/theRepositoryIsReleasedAfterTheEnd() releasedFailure
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
        Deferred {
            let key = UUID()
            Fetches.begin(key, self)
            let fetch = Task { try await fetchUser(id: id) }
            return Future { promise in
                Task { promise(await fetch.result) }
            }
            .handleEvents(
                receiveOutput: { _ in Fetches.end(key) },
                receiveCancel: {
                    fetch.cancel()
                    Fetches.end(key)
                })
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

private enum Fetches {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var running: [UUID: Any] = [:]

    static func begin(_ key: UUID, _ repository: Any) { lock.withLock { running[key] = repository } }
    static func end(_ key: UUID) { lock.withLock { running[key] = nil } }
}
