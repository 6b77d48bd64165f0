// mutant: the code of the migration guides
// fails: ProfileViewModelTests/cancelLoadingCancelsTheFetch()
// fails: ProfileViewModelTests/whatACancelledFetchBringsIsNotShown()
// fails: ProfileViewModelTests/cancellingTheCallerShowsNoMessage()
// fails: ProfileViewModelTests/aLateUserDoesNotReplaceANewerOne()
// fails: ProfileViewModelTests/aLateAnswerForTheSameUserIsNotShown()
// fails: ProfileViewModelTests/aNewLoadCancelsTheOneBefore()
// fails: ProfileViewModelTests/theLoadingLastsUntilTheLatestLoadIsOver()
// fails: ProfileViewModelTests/aLoadOfTheOtherMethodIsReplaced()
// fails: ProfileViewModelTests/whatWaitsForTheMainQueueNoLongerCounts()
// fails: ProfileViewModelTests/cancellingTheCallerOfAnEarlierLoadChangesNothing()
// hint: ProfileViewModelTests/cancelLoadingCancelsTheFetch() cancelFetch
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
    private var cancellables = Set<AnyCancellable>()
    private var loadTask: Task<Void, Never>?

    public init(repository: any UserRepositoryProtocol) {
        self.repository = repository
    }

    // Async interface for modern UIKit or SwiftUI with .task
    public func loadUser(id: String) async {
        isLoading = true
        errorMessage = nil

        do {
            user = try await repository.fetchUser(id: id)
        } catch {
            errorMessage = error.localizedDescription
        }

        isLoading = false
    }

    // Combine interface for legacy code
    public func loadUserPublisher(id: String) {
        isLoading = true
        errorMessage = nil

        repository.fetchUserPublisher(id: id)
            .receive(on: DispatchQueue.main)
            .sink(
                receiveCompletion: { [weak self] completion in
                    self?.isLoading = false
                    if case .failure(let error) = completion {
                        self?.errorMessage = error.localizedDescription
                    }
                },
                receiveValue: { [weak self] user in
                    self?.user = user
                }
            )
            .store(in: &cancellables)
    }

    // Clean cancellation
    public func cancelLoading() {
        loadTask?.cancel()
        cancellables.removeAll()
        isLoading = false
    }
}
