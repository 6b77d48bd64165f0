// mutant: an end counts if its user is the wanted one
// fails: ProfileViewModelTests/theSameUserIsLoadedAgain()
// fails: ProfileViewModelTests/aLateAnswerForTheSameUserIsNotShown()
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
    private var wanted: String?
    private var stop: () -> Void = {}

    public init(repository: any UserRepositoryProtocol) {
        self.repository = repository
    }

    public func loadUser(id: String) async {
        begin(id)
        let task = Task { [repository] in try await repository.fetchUser(id: id) }
        stop = { task.cancel() }
        let result = await withTaskCancellationHandler { await task.result } onCancel: { task.cancel() }
        guard wanted == id else { return }
        end()
        do {
            user = try result.get()
        } catch {
            if !Task.isCancelled { errorMessage = error.localizedDescription }
        }
    }

    public func loadUserPublisher(id: String) {
        begin(id)
        let subscription = repository.fetchUserPublisher(id: id)
            .receive(on: DispatchQueue.main)
            .sink(receiveCompletion: { [weak self] completion in
                guard let self, wanted == id else { return }
                if case .failure(let error) = completion { errorMessage = error.localizedDescription }
                end()
            }, receiveValue: { [weak self] found in
                guard let self, wanted == id else { return }
                user = found
            })
        stop = { subscription.cancel() }
    }

    public func cancelLoading() {
        stop()
        end()
    }

    private func begin(_ id: String) {
        stop()
        wanted = id
        isLoading = true
        errorMessage = nil
    }

    private func end() {
        wanted = nil
        stop = {}
        isLoading = false
    }
}
