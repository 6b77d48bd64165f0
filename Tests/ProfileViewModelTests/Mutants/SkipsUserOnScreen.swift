// mutant: both methods return at once if the user with this id is already shown, and make no request
// fails: ProfileViewModelTests/theSameUserIsLoadedAgain()
// hint: ProfileViewModelTests/theSameUserIsLoadedAgain() shownAgain
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

/// What every repository offers.
public protocol UserRepositoryProtocol: Sendable {
    func fetchUser(id: String) async throws -> User
    func fetchUserPublisher(id: String) -> AnyPublisher<User, any Error>
}

/// Loads a profile, for code that awaits it and for code that does not.
@MainActor public final class ProfileViewModel: ObservableObject {
    private enum Event {
        case loaded(User)
        case failed(String)
        case ended
    }

    @Published public private(set) var user: User?
    @Published public private(set) var isLoading = false
    @Published public private(set) var errorMessage: String?

    private let repository: any UserRepositoryProtocol
    private let loads = PassthroughSubject<AnyPublisher<(Int, Event), Never>, Never>()
    private var latest = 0
    private var pipeline: AnyCancellable?

    public init(repository: any UserRepositoryProtocol) {
        self.repository = repository
        pipeline = loads
            .switchToLatest()
            .sink { [weak self] number, event in self?.apply(event, of: number) }
    }

    /// Loads a user with `fetchUser`, and returns when the load is over.
    public func loadUser(id: String) async {
        guard user?.id != id else { return }
        let number = begin()
        let answers = PassthroughSubject<(Int, Event), Never>()
        let task = Task { [repository] in
            do {
                answers.send((number, .loaded(try await repository.fetchUser(id: id))))
            } catch {
                if !Task.isCancelled { answers.send((number, .failed(error.localizedDescription))) }
            }
            answers.send((number, .ended))
        }
        loads.send(answers.handleEvents(receiveCancel: { task.cancel() }).eraseToAnyPublisher())
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Loads a user with `fetchUserPublisher`.
    public func loadUserPublisher(id: String) {
        guard user?.id != id else { return }
        let number = begin()
        let answers = repository.fetchUserPublisher(id: id)
            .map { Event.loaded($0) }
            .catch { Just(Event.failed($0.localizedDescription)) }
            .append(Event.ended)
            .map { (number, $0) }
            .receive(on: DispatchQueue.main)
        loads.send(answers.eraseToAnyPublisher())
    }

    /// Stops the load that runs, whichever method began it.
    public func cancelLoading() {
        latest += 1
        loads.send(Empty().eraseToAnyPublisher())
        isLoading = false
    }

    private func begin() -> Int {
        latest += 1
        isLoading = true
        errorMessage = nil
        return latest
    }

    private func apply(_ event: Event, of number: Int) {
        guard number == latest else { return }
        switch event {
        case .loaded(let user): self.user = user
        case .failed(let message): errorMessage = message
        case .ended: isLoading = false
        }
    }
}
