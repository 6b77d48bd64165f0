// mutant: a user hops to the main queue, and is not checked there
// fails: ProfileViewModelTests/whatWaitsForTheMainQueueNoLongerCounts()
// hint: ProfileViewModelTests/whatWaitsForTheMainQueueNoLongerCounts() queued
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
    private var fetch: Task<User, any Error>?
    private var subscription: AnyCancellable?

    public init(repository: any UserRepositoryProtocol) {
        self.repository = repository
    }

    public func loadUser(id: String) async {
        let mine = begin()
        let fetch = Task { [repository] in try await repository.fetchUser(id: id) }
        self.fetch = fetch
        let result = await withTaskCancellationHandler {
            await fetch.result
        } onCancel: {
            fetch.cancel()
        }
        guard mine == number else { return }
        isLoading = false
        self.fetch = nil
        switch result {
        case .success(let user): self.user = user
        case .failure(let error):
            if !fetch.isCancelled { errorMessage = error.localizedDescription }
        }
    }

    public func loadUserPublisher(id: String) {
        let mine = begin()
        let new = repository.fetchUserPublisher(id: id)
            .sink { [weak self] completion in
                DispatchQueue.main.async {
                    guard let self, mine == self.number else { return }
                    self.isLoading = false
                    if case .failure(let error) = completion { self.errorMessage = error.localizedDescription }
                }
            } receiveValue: { [weak self] user in
                DispatchQueue.main.async { self?.user = user }
            }
        if mine == number { subscription = new } else { new.cancel() }
    }

    public func cancelLoading() {
        stop()
        isLoading = false
    }

    private func begin() -> Int {
        stop()
        isLoading = true
        errorMessage = nil
        return number
    }

    private func stop() {
        number += 1
        fetch?.cancel()
        fetch = nil
        subscription?.cancel()
        subscription = nil
    }
}
