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
    ///
    /// Each subscription fetches for itself, from the moment it begins, and its cancellation cancels what it fetches.
    public func fetchUserPublisher(id: String) -> AnyPublisher<User, any Error> {
        // A `Future` begins when it is made; `Deferred` makes one for each subscription.
        Deferred {
            let fetch = Task { try await fetchUser(id: id) }
            return Future { promise in
                Task { promise(await fetch.result) }
            }
            .handleEvents(receiveCancel: { fetch.cancel() })
        }
        .eraseToAnyPublisher()
    }
}

/// The repository that loads users from the server.
public final class UserRepository: UserRepositoryProtocol {
    private static let users = URL(string: "https://api.example.com/users")!

    private let load: @Sendable (URL) async throws -> Data

    /// - Parameter load: Loads what is at an address.
    public init(load: @escaping @Sendable (URL) async throws -> Data) {
        self.load = load
    }

    /// Loads a user; throws the error of `load`, or a `DecodingError`.
    public func fetchUser(id: String) async throws -> User {
        let data = try await load(Self.users.appending(path: id))
        return try JSONDecoder().decode(User.self, from: data)
    }
}
