// right: the user arrives on the main queue, and a variable of each subscription holds its task
import Combine
import Dispatch
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
            var fetch: Task<Void, Never>?
            return Future<User, Error> { promise in
                fetch = Task {
                    do { promise(.success(try await self.fetchUser(id: id))) } catch { promise(.failure(error)) }
                }
            }
            .handleEvents(receiveCancel: { fetch?.cancel() })
        }
        .receive(on: DispatchQueue.main)
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
