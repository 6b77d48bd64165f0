// mutant: a load of the user who is shown begins nothing
// fails: ProfileViewModelTests/theSameUserIsLoadedAgain()
// hint: ProfileViewModelTests/theSameUserIsLoadedAgain() shownAgain
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

/// What the app knows of any repository.
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
    private var number = 0
    private var fetch: Task<User, any Error>?
    private var subscription: AnyCancellable?

    public init(repository: any UserRepositoryProtocol) {
        self.repository = repository
    }

    /// Loads a user with `fetchUser`, and returns when the load is over.
    public func loadUser(id: String) async {
        if user?.id == id, !isLoading, errorMessage == nil { return }
        let load = begin()
        let fetch = Task { [repository] in try await repository.fetchUser(id: id) }
        self.fetch = fetch
        let result = await withTaskCancellationHandler {
            await fetch.result
        } onCancel: {
            fetch.cancel()
        }
        guard load == number else { return }
        isLoading = false
        switch result {
        case .success(let user):
            self.user = user
        case .failure(let error):
            if !Task.isCancelled { errorMessage = error.localizedDescription }
        }
    }

    /// Loads a user with `fetchUserPublisher`.
    public func loadUserPublisher(id: String) {
        let load = begin()
        subscription = repository.fetchUserPublisher(id: id)
            .receive(on: DispatchQueue.main)
            .sink { [weak self] completion in
                guard let self, self.number == load else { return }
                self.isLoading = false
                if case .failure(let error) = completion { self.errorMessage = error.localizedDescription }
            } receiveValue: { [weak self] user in
                guard let self, self.number == load else { return }
                self.user = user
            }
    }

    /// Stops the load that runs, whichever method began it.
    public func cancelLoading() {
        end()
        isLoading = false
    }

    private func begin() -> Int {
        end()
        isLoading = true
        errorMessage = nil
        return number
    }

    private func end() {
        number += 1
        fetch?.cancel()
        fetch = nil
        subscription?.cancel()
        subscription = nil
    }
}
