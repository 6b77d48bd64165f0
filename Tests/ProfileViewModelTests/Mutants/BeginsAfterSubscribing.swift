// mutant: the load begins after the subscription
// fails: ProfileViewModelTests/aPublisherThatAnswersAtOnceEndsTheLoading()
// hint: ProfileViewModelTests/aPublisherThatAnswersAtOnceEndsTheLoading() answersAtOnce
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
    /// The number of the load that counts.
    private var number = 0
    private var fetch: Task<User, any Error>?
    private var subscription: AnyCancellable?

    public init(repository: any UserRepositoryProtocol) {
        self.repository = repository
    }

    /// Loads a user with `fetchUser`, and returns when the load is over.
    public func loadUser(id: String) async {
        let mine = begin()
        let repository = self.repository
        let fetch = Task { try await repository.fetchUser(id: id) }
        self.fetch = fetch
        let result = await withTaskCancellationHandler {
            await fetch.result
        } onCancel: {
            fetch.cancel()
        }
        guard mine == number else { return }
        isLoading = false
        switch result {
        case .success(let user):
            self.user = user
        case .failure(let error):
            if !Task.isCancelled {
                errorMessage = error.localizedDescription
            }
        }
    }

    /// Loads a user with `fetchUserPublisher`.
    public func loadUserPublisher(id: String) {
        stop()
        let mine = number
        subscription = repository.fetchUserPublisher(id: id)
            .sink { [weak self] completion in
                Self.onMain { [weak self] in
                    guard let self, mine == self.number else { return }
                    self.isLoading = false
                    if case .failure(let error) = completion {
                        self.errorMessage = error.localizedDescription
                    }
                }
            } receiveValue: { [weak self] user in
                Self.onMain { [weak self] in
                    guard let self, mine == self.number else { return }
                    self.user = user
                }
            }
        isLoading = true
        errorMessage = nil
    }

    /// Marks the main queue, which on Linux may run on another thread than the main one.
    private nonisolated static let mark: DispatchSpecificKey<Bool> = {
        let mark = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: mark, value: true)
        return mark
    }()

    /// What comes on the main actor needs no hop.
    private nonisolated static func onMain(_ work: @escaping @MainActor () -> Void) {
        if Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true {
            MainActor.assumeIsolated { work() }
        } else {
            DispatchQueue.main.async { MainActor.assumeIsolated { work() } }
        }
    }

    /// Stops the load that runs, whichever method began it.
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
