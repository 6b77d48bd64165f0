// mutant: a subscriber takes users also after its cancellation
// fails: ProfileViewModelTests/aUserOfACancelledPublisherIsNotShown()
// fails: ProfileViewModelTests/aLateUserDoesNotReplaceANewerOne()
// fails: ProfileViewModelTests/aLoadOfTheOtherMethodIsReplaced()
// fails: ProfileViewModelTests/whatWaitsForTheMainQueueNoLongerCounts()
// hint: ProfileViewModelTests/aUserOfACancelledPublisherIsNotShown() cancelledPublisher
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
        let subscriber = UserSubscriber { [weak self] event in
            guard let self else { return }
            switch event {
            case .success(let loaded?): user = loaded
            case .success(nil): if number == self.number { isLoading = false }
            case .failure(let error):
                guard number == self.number else { return }
                isLoading = false
                errorMessage = error.localizedDescription
            }
        }
        repository.fetchUserPublisher(id: id).subscribe(subscriber)
        subscription = AnyCancellable(subscriber.cancel)
    }

    public func cancelLoading() {
        cancelLatest()
        isLoading = false
    }

    private func begin() -> Int {
        cancelLatest()
        isLoading = true
        errorMessage = nil
        return number
    }

    private func cancelLatest() {
        number += 1
        task?.cancel()
        subscription?.cancel()
    }
}

/// Passes on a user, the end (nil), or a failure.
private final class UserSubscriber: Subscriber {
    private let show: (Result<User?, any Error>) -> Void
    private var subscription: (any Subscription)?

    init(show: @escaping (Result<User?, any Error>) -> Void) {
        self.show = show
    }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        subscription.request(.unlimited)
    }

    func receive(_ user: User) -> Subscribers.Demand {
        DispatchQueue.main.async { [show] in show(.success(user)) }
        return .none
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        DispatchQueue.main.async { [show] in
            switch completion {
            case .finished: show(.success(nil))
            case .failure(let error): show(.failure(error))
            }
        }
    }

    func cancel() {
        subscription?.cancel()
    }
}
