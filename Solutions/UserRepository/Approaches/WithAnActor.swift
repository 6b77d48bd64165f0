// right: an actor loads and decodes; a helper function turns any async function into a publisher
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
        AnyPublisher.fetching { try await fetchUser(id: id) }
    }
}

public final class UserRepository: UserRepositoryProtocol {
    private let loader: Loader

    public init(load: @escaping @Sendable (URL) async throws -> Data) {
        loader = Loader(load: load)
    }

    public func fetchUser(id: String) async throws -> User {
        try await loader.user(at: "https://api.example.com/users/\(id)")
    }
}

private actor Loader {
    private let load: @Sendable (URL) async throws -> Data
    private let decoder = JSONDecoder()

    init(load: @escaping @Sendable (URL) async throws -> Data) {
        self.load = load
    }

    func user(at address: String) async throws -> User {
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        return try decoder.decode(User.self, from: await load(url))
    }
}

extension AnyPublisher where Failure == Error {
    fileprivate static func fetching(_ fetch: @escaping () async throws -> Output) -> AnyPublisher {
        Deferred {
            let task = Task { try await fetch() }
            return Future { promise in
                Task { promise(await task.result) }
            }
            .handleEvents(receiveCancel: task.cancel)
        }
        .eraseToAnyPublisher()
    }
}
