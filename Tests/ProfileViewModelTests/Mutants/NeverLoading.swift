// mutant: nothing says that a load runs
// fails: ProfileViewModelTests/aLoadIsLoadingUntilTheUserComes()
// fails: ProfileViewModelTests/aFailureEndsTheLoading()
// fails: ProfileViewModelTests/cancelLoadingEndsTheLoading()
// fails: ProfileViewModelTests/cancellingTheCallerCancelsTheFetch()
// fails: ProfileViewModelTests/theLoadingLastsUntilTheLatestLoadIsOver()
// fails: ProfileViewModelTests/aPublisherWithoutAUserEndsTheLoading()
// fails: ProfileViewModelTests/whatWaitsForTheMainQueueNoLongerCounts()
// fails: ProfileViewModelTests/cancellingTheCallerOfAnEarlierLoadChangesNothing()
// hint: ProfileViewModelTests/aLoadIsLoadingUntilTheUserComes() loading
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
    private var number = 0
    private var task: Task<Void, Never>?
    private var subscription: AnyCancellable?

    public init(repository: any UserRepositoryProtocol) {
        self.repository = repository
    }

    public func loadUser(id: String) async {
        let number = begin()
        let task = Task { await fetch(id, number: number) }
        self.task = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func fetch(_ id: String, number: Int) async {
        do {
            let loaded = try await repository.fetchUser(id: id)
            guard number == self.number else { return }
            user = loaded
            isLoading = false
        } catch {
            guard number == self.number else { return }
            isLoading = false
            if !Task.isCancelled { errorMessage = error.localizedDescription }
        }
    }

    public func loadUserPublisher(id: String) {
        let number = begin()
        subscription = repository.fetchUserPublisher(id: id)
            .receive(on: DispatchQueue.main)
            .sink { [weak self] completion in
                guard let self, number == self.number else { return }
                isLoading = false
                if case .failure(let error) = completion { errorMessage = error.localizedDescription }
            } receiveValue: { [weak self] loaded in
                guard let self, number == self.number else { return }
                user = loaded
            }
    }

    public func cancelLoading() {
        cancelLatest()
        isLoading = false
    }

    private func begin() -> Int {
        cancelLatest()
        errorMessage = nil
        return number
    }

    private func cancelLatest() {
        number += 1
        task?.cancel()
        subscription?.cancel()
    }
}
