// right: both methods run in a task; the publisher is read with values, and a new load clears the user
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

@MainActor public final class ProfileViewModel: ObservableObject {
    @Published public private(set) var user: User?
    @Published public private(set) var isLoading = false
    @Published public private(set) var errorMessage: String?

    private let repository: any UserRepositoryProtocol
    private var task: Task<Void, Never>?

    public init(repository: any UserRepositoryProtocol) {
        self.repository = repository
    }

    deinit {
        task?.cancel()
    }

    public func loadUser(id: String) async {
        let task = begin { [repository] in try await repository.fetchUser(id: id) }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if self.task == task { cancelLoading() }
    }

    public func loadUserPublisher(id: String) {
        _ = begin { [repository] in
            for try await user in repository.fetchUserPublisher(id: id).values { return user }
            throw CancellationError()
        }
    }

    public func cancelLoading() {
        task?.cancel()
        task = nil
        isLoading = false
    }

    private func begin(_ load: @escaping @Sendable () async throws -> User) -> Task<Void, Never> {
        task?.cancel()
        (user, isLoading, errorMessage) = (nil, true, nil)
        let task = Task { [weak self] in
            let result: Result<User, any Error>
            do {
                result = .success(try await load())
            } catch {
                result = .failure(error)
            }
            guard !Task.isCancelled else { return }
            self?.end(result)
        }
        self.task = task
        return task
    }

    private func end(_ result: Result<User, any Error>) {
        task = nil
        isLoading = false
        switch result {
        case .success(let loaded): user = loaded
        case .failure(let error): errorMessage = error.localizedDescription
        }
    }
}
