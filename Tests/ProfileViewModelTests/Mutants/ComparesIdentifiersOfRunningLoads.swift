// mutant: a load is known by the identifier of its user, until one of its loads has ended
// fails: ProfileViewModelTests/aLateAnswerForTheSameUserIsNotShown()
// fails: ProfileViewModelTests/theSameUserIsLoadedAgain()
// hint: ProfileViewModelTests/theSameUserIsLoadedAgain() runningAgain.mixed
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
    private var latestID: String?
    private var task: Task<Void, Never>?
    private var subscription: AnyCancellable?

    public init(repository: any UserRepositoryProtocol) {
        self.repository = repository
    }

    public func loadUser(id: String) async {
        begin(id)
        let task = Task { await fetch(id) }
        self.task = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func fetch(_ id: String) async {
        do {
            let loaded = try await repository.fetchUser(id: id)
            guard id == latestID else { return }
            user = loaded
            end()
        } catch {
            guard id == latestID else { return }
            end()
            if !Task.isCancelled { errorMessage = error.localizedDescription }
        }
    }

    public func loadUserPublisher(id: String) {
        begin(id)
        subscription = repository.fetchUserPublisher(id: id)
            .receive(on: DispatchQueue.main)
            .sink { [weak self] completion in
                guard let self, id == latestID else { return }
                end()
                if case .failure(let error) = completion { errorMessage = error.localizedDescription }
            } receiveValue: { [weak self] loaded in
                guard let self, id == latestID else { return }
                user = loaded
            }
    }

    public func cancelLoading() {
        cancelLatest()
        isLoading = false
    }

    private func begin(_ id: String) {
        cancelLatest()
        latestID = id
        isLoading = true
        errorMessage = nil
    }

    private func end() {
        latestID = nil
        isLoading = false
    }

    private func cancelLatest() {
        latestID = nil
        task?.cancel()
        subscription?.cancel()
    }
}
