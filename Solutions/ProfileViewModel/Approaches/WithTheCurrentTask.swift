// right: a load checks whether its task is the latest one
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
    private var subscription: AnyCancellable?

    public init(repository: any UserRepositoryProtocol) {
        self.repository = repository
    }

    public func loadUser(id: String) async {
        begin()
        let task = Task { await fetch(id) }
        self.task = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private var isLatest: Bool {
        withUnsafeCurrentTask { current in task != nil && current?.hashValue == task?.hashValue }
    }

    private func fetch(_ id: String) async {
        do {
            let loaded = try await repository.fetchUser(id: id)
            guard isLatest else { return }
            user = loaded
            isLoading = false
        } catch {
            guard isLatest else { return }
            isLoading = false
            if !Task.isCancelled { errorMessage = error.localizedDescription }
        }
    }

    public func loadUserPublisher(id: String) {
        begin()
        subscription = repository.fetchUserPublisher(id: id)
            .receive(on: DispatchQueue.main)
            .sink { [weak self] completion in
                self?.isLoading = false
                if case .failure(let error) = completion { self?.errorMessage = error.localizedDescription }
            } receiveValue: { [weak self] loaded in
                self?.user = loaded
            }
    }

    public func cancelLoading() {
        cancelLatest()
        isLoading = false
    }

    private func begin() {
        cancelLatest()
        isLoading = true
        errorMessage = nil
    }

    private func cancelLatest() {
        task?.cancel()
        task = nil
        subscription?.cancel()
    }
}
