// mutant: a caller that was cancelled says that nothing is loading, also while a newer load runs
// fails: ProfileViewModelTests/cancellingTheCallerOfAnEarlierLoadChangesNothing()
// hint: ProfileViewModelTests/cancellingTheCallerOfAnEarlierLoadChangesNothing() earlierCaller
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
    private var cancellable: AnyCancellable?
    private var task: Task<Void, Never>?

    public init(repository: any UserRepositoryProtocol) {
        self.repository = repository
    }

    /// Loads a user with `fetchUser`, and returns when the load is over.
    public func loadUser(id: String) async {
        cancelLoading()
        isLoading = true
        errorMessage = nil
        let task = Task {
            do {
                let user = try await repository.fetchUser(id: id)
                guard !Task.isCancelled else { return }
                self.user = user
            } catch {
                guard !Task.isCancelled else { return }
                errorMessage = error.localizedDescription
            }
            isLoading = false
        }
        self.task = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if Task.isCancelled {
            isLoading = false
        }
    }

    /// Loads a user with `fetchUserPublisher`.
    public func loadUserPublisher(id: String) {
        cancelLoading()
        isLoading = true
        errorMessage = nil
        cancellable = repository.fetchUserPublisher(id: id)
            .receive(on: DispatchQueue.main)
            .sink { [weak self] completion in
                self?.isLoading = false
                if case .failure(let error) = completion {
                    self?.errorMessage = error.localizedDescription
                }
            } receiveValue: { [weak self] user in
                self?.user = user
            }
    }

    /// Stops the load that runs, whichever method began it.
    public func cancelLoading() {
        task?.cancel()
        task = nil
        cancellable?.cancel()
        cancellable = nil
        isLoading = false
    }
}
