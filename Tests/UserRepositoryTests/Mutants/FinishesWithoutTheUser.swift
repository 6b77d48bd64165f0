// mutant: finishes and sends nothing
// fails: UserRepositoryTests/thePublisherSendsTheUser()
// fails: UserRepositoryTests/everyRepositoryHasThePublisher()
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
// hint: UserRepositoryTests/thePublisherSendsTheUser() publisher
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
            let subject = PassthroughSubject<User, Error>()
            let fetch = Task {
                do {
                    _ = try await fetchUser(id: id)
                    subject.send(completion: .finished)
                } catch {
                    subject.send(completion: .failure(error))
                }
            }
            return subject.handleEvents(receiveCancel: { fetch.cancel() })
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
