// mutant: the code of the migration guides: a `Future` that begins at once and cannot be cancelled
// fails: UserRepositoryTests/nothingIsFetchedBeforeSomebodySubscribes()
// fails: UserRepositoryTests/eachSubscriptionFetchesForItself()
// fails: UserRepositoryTests/cancellingTheSubscriptionCancelsTheFetch()
// fails: UserRepositoryTests/theRepositoryIsReleasedAfterTheEnd()
// fails: UserRepositoryTests/aUserAndARequestMayMeet()
// hint: UserRepositoryTests/nothingIsFetchedBeforeSomebodySubscribes() cold
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
        Future { promise in
            Task {
                do {
                    let user = try await self.fetchUser(id: id)
                    promise(.success(user))
                } catch {
                    promise(.failure(error))
                }
            }
        }
        .eraseToAnyPublisher()
    }
}

public final class UserRepository: UserRepositoryProtocol {
    private let load: @Sendable (URL) async throws -> Data

    public init(load: @escaping @Sendable (URL) async throws -> Data) {
        self.load = load
    }

    public func fetchUser(id: String) async throws -> User {
        let url = URL(string: "https://api.example.com/users/\(id)")!
        let data = try await load(url)
        return try JSONDecoder().decode(User.self, from: data)
    }
}
