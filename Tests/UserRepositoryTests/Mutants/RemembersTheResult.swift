// mutant: the publisher remembers how its first fetch ended
// fails: UserRepositoryTests/eachSubscriptionFetchesForItself()
// hint: UserRepositoryTests/eachSubscriptionFetchesForItself() retry
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
        let known = CurrentValueSubject<Result<User, Error>?, Never>(nil)
        return Deferred {
            let fetch = Task {
                if let result = known.value { return try result.get() }
                let result: Result<User, Error>
                do { result = .success(try await fetchUser(id: id)) } catch { result = .failure(error) }
                known.send(result)
                return try result.get()
            }
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
