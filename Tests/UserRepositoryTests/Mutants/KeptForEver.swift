// mutant: a list that only grows keeps every repository
// fails: UserRepositoryTests/theRepositoryIsReleasedAfterTheEnd()
// hint: UserRepositoryTests/theRepositoryIsReleasedAfterTheEnd() general.global
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

public protocol UserRepositoryProtocol {
    func fetchUser(id: String) async throws -> User
    func fetchUserPublisher(id: String) -> AnyPublisher<User, any Error>
}

extension UserRepositoryProtocol {
    public func fetchUserPublisher(id: String) -> AnyPublisher<User, any Error> {
        Deferred {
            let fetch = Task { try await fetchUser(id: id) }
            Fetches.all.withLock { $0.append(self) }
            return Future { promise in
                Task { promise(await fetch.result) }
            }
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

private enum Fetches {
    static let all = Mutex<[Any]>([])
}
