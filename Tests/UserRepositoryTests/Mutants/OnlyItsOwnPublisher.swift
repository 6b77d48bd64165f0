// mutant: only `UserRepository` has a publisher; the default one is empty
// fails: UserRepositoryTests/everyRepositoryHasThePublisher()
// fails: UserRepositoryTests/thePublisherFailsWithTheErrorAsItIs()
// fails: UserRepositoryTests/aRepositorysOwnPublisherIsUsed()
// fails: UserRepositoryTests/nothingIsFetchedBeforeSomebodySubscribes()
// fails: UserRepositoryTests/aFetchBlocksNoThread()
// fails: UserRepositoryTests/eachSubscriptionFetchesForItself()
// fails: UserRepositoryTests/cancellingTheSubscriptionCancelsTheFetch()
// fails: UserRepositoryTests/cancellingOneSubscriptionLeavesTheOther()
// fails: UserRepositoryTests/theUserIsKeptUntilItIsAskedFor()
// fails: UserRepositoryTests/thePublisherHoldsItsRepository()
// fails: UserRepositoryTests/theRepositoryIsReleasedAfterTheEnd()
// fails: UserRepositoryTests/aUserAndARequestMayMeet()
// hint: UserRepositoryTests/everyRepositoryHasThePublisher() every
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
        Empty().eraseToAnyPublisher()
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

    public func fetchUserPublisher(id: String) -> AnyPublisher<User, any Error> {
        Deferred {
            let fetch = Task { try await self.fetchUser(id: id) }
            return Future { promise in
                Task { promise(await fetch.result) }
            }
            .handleEvents(receiveCancel: { fetch.cancel() })
        }
        .eraseToAnyPublisher()
    }
}
