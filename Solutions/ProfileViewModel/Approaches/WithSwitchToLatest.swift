// right: every load is a publisher, and switchToLatest keeps only the latest one
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
    private typealias Results = AnyPublisher<Result<User, any Error>?, Never>

    @Published public private(set) var user: User?
    @Published public private(set) var isLoading = false
    @Published public private(set) var errorMessage: String?

    private let repository: any UserRepositoryProtocol
    private let loads = PassthroughSubject<Results, Never>()
    private var subscription: AnyCancellable?

    public init(repository: any UserRepositoryProtocol) {
        self.repository = repository
        subscription = loads.switchToLatest().sink { [weak self] result in
            guard let self else { return }
            isLoading = false
            switch result {
            case .success(let loaded): user = loaded
            case .failure(let error): errorMessage = error.localizedDescription
            case nil: break
            }
        }
    }

    public func loadUser(id: String) async {
        let results = PassthroughSubject<Result<User, any Error>?, Never>()
        let fetch = Task { [repository] in try await repository.fetchUser(id: id) }
        begin(results.handleEvents(receiveCancel: { fetch.cancel() }).eraseToAnyPublisher())
        let result = await withTaskCancellationHandler {
            await fetch.result
        } onCancel: {
            fetch.cancel()
        }
        results.send(Task.isCancelled ? nil : result)
    }

    public func loadUserPublisher(id: String) {
        begin(
            repository.fetchUserPublisher(id: id)
                .map { .success($0) }
                .catch { Just(.failure($0)) }
                .append(nil)
                .receive(on: DispatchQueue.main)
                .eraseToAnyPublisher())
    }

    public func cancelLoading() {
        loads.send(Just(nil).eraseToAnyPublisher())
    }

    private func begin(_ load: Results) {
        isLoading = true
        errorMessage = nil
        loads.send(load)
    }
}
