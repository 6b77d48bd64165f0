import Combine
import Foundation

public struct User: Equatable, Sendable {
    public var id: String
    public var name: String

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// What every repository offers.
public protocol UserRepositoryProtocol: Sendable {
    func fetchUser(id: String) async throws -> User
    func fetchUserPublisher(id: String) -> AnyPublisher<User, any Error>
}

/// Loads a profile, for code that awaits it and for code that does not.
@MainActor public final class ProfileViewModel: ObservableObject {
    @Published public private(set) var user: User?
    @Published public private(set) var isLoading = false
    @Published public private(set) var errorMessage: String?

    private let repository: any UserRepositoryProtocol

    public init(repository: any UserRepositoryProtocol) {
        self.repository = repository
    }

    /// Loads a user with `fetchUser`, and returns when the load is over.
    public func loadUser(id: String) async {
        // Write this method.
    }

    /// Loads a user with `fetchUserPublisher`.
    public func loadUserPublisher(id: String) {
        // Write this method.
    }

    /// Stops the load that runs, whichever method began it.
    public func cancelLoading() {
        // Write this method.
    }
}
