// mutant: `isLoading` is true from the beginning
// fails: ProfileViewModelTests/aLoadIsLoadingUntilTheUserComes()
// hint: ProfileViewModelTests/aLoadIsLoadingUntilTheUserComes() loadingFirst
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
///
/// Only the load begun last counts, whichever method began it.
@MainActor public final class ProfileViewModel: ObservableObject {
    @Published public private(set) var user: User?
    @Published public private(set) var isLoading = true
    @Published public private(set) var errorMessage: String?

    private let repository: any UserRepositoryProtocol
    /// The load begun last, as long as it runs.
    private var latest: AnyCancellable?

    public init(repository: any UserRepositoryProtocol) {
        self.repository = repository
    }

    /// Loads a user with `fetchUser`, and returns when the load is over.
    ///
    /// Cancelling the caller's task cancels the load, without a message.
    public func loadUser(id: String) async {
        let fetch = Task { [repository] in try await repository.fetchUser(id: id) }
        let load = AnyCancellable { fetch.cancel() }
        begin(load)
        let result = await withTaskCancellationHandler {
            await fetch.result
        } onCancel: {
            fetch.cancel()
        }
        // Meanwhile another load may have begun, or this one was cancelled.
        guard load === latest else { return }
        switch result {
        case .success(let loaded):
            user = loaded
            end()
        case .failure(let error):
            end(with: Task.isCancelled ? nil : error)
        }
    }

    /// Loads a user with `fetchUserPublisher`.
    public func loadUserPublisher(id: String) {
        // A cancelled subscription delivers nothing, so what arrives belongs to the latest load.
        begin(
            repository.fetchUserPublisher(id: id)
                .receive(on: DispatchQueue.main)
                .sink { [weak self] completion in
                    if case .failure(let error) = completion { self?.end(with: error) } else { self?.end() }
                } receiveValue: { [weak self] in
                    self?.user = $0
                })
    }

    /// Stops the load that runs, whichever method began it.
    public func cancelLoading() {
        latest?.cancel()
        end()
    }

    private func begin(_ load: AnyCancellable) {
        latest?.cancel()
        latest = load
        isLoading = true
        errorMessage = nil
    }

    private func end(with error: (any Error)? = nil) {
        latest = nil
        isLoading = false
        errorMessage = error?.localizedDescription
    }
}
