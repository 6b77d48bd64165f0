import Combine
import Foundation
import Synchronization

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
///
/// Only the load begun last counts, whichever method began it. The repository is asked through a `Delivery`, and what it
/// answers goes through it on its way to the main thread.
@MainActor public final class ProfileViewModel: ObservableObject {
    @Published public private(set) var user: User?
    @Published public private(set) var isLoading = false
    @Published public private(set) var errorMessage: String?

    private let repository: any UserRepositoryProtocol
    private let deliver = Delivery()
    /// The load begun last, as long as it runs.
    private var latest: AnyCancellable?

    public init(repository: any UserRepositoryProtocol) {
        self.repository = repository
    }

    /// Loads a user with `fetchUser`, and returns when the load is over.
    ///
    /// Cancelling the caller's task cancels the load, without a message.
    public func loadUser(id: String) async {
        let fetch = Task { [repository, deliver] in
            await deliver.turn()
            try Task.checkCancellation()
            return try await repository.fetchUser(id: id)
        }
        let load = AnyCancellable { fetch.cancel() }
        begin(load)
        let result = await withTaskCancellationHandler {
            await fetch.result
        } onCancel: {
            fetch.cancel()
        }
        await deliver.turn()
        // Meanwhile another load may have begun, or this one was cancelled.
        guard load === latest else { return }
        switch result {
        case .success(let loaded):
            user = loaded
            end()
        case .failure(let error):
            end(with: Task.isCancelled ? nil : error)
        }
    }

    /// Loads a user with `fetchUserPublisher`.
    public func loadUserPublisher(id: String) {
        let answer = Answer()
        begin(AnyCancellable { answer.cancel() })
        // A cancelled subscription delivers nothing, so what arrives belongs to the latest load.
        answer.begin(asking: repository, for: id, through: deliver) { [weak self] completion in
            if case .failure(let error) = completion { self?.end(with: error) } else { self?.end() }
        } receiveUser: { [weak self] in
            self?.user = $0
        }
    }

    /// Stops the load that runs, whichever method began it.
    public func cancelLoading() {
        latest?.cancel()
        end()
    }

    private func begin(_ load: AnyCancellable) {
        latest?.cancel()
        latest = load
        isLoading = true
        errorMessage = nil
    }

    private func end(with error: (any Error)? = nil) {
        latest = nil
        isLoading = false
        errorMessage = error?.localizedDescription
    }
}

/// What a publisher of the repository answers: it is subscribed to through a `Delivery`, and cancelled at once.
private final class Answer: @unchecked Sendable {
    private struct State {
        var subscription: AnyCancellable?
        var isCancelled = false
    }

    private let state = Mutex(State())

    /// Subscribes a moment later, unless that is cancelled before.
    func begin(
        asking repository: any UserRepositoryProtocol, for id: String, through deliver: Delivery,
        receiveCompletion: @escaping @MainActor @Sendable (Subscribers.Completion<any Error>) -> Void,
        receiveUser: @escaping @MainActor @Sendable (User) -> Void
    ) {
        deliver {
            guard !self.isCancelled else { return }
            let subscription = repository.fetchUserPublisher(id: id)
                .receive(on: DeliveryScheduler(deliver: deliver))
                .receive(on: DispatchQueue.main)
                .sink { completion in
                    MainActor.assumeIsolated { receiveCompletion(completion) }
                } receiveValue: { user in
                    MainActor.assumeIsolated { receiveUser(user) }
                }
            self.keep(subscription)
        }
    }

    func cancel() {
        let ended = state.withLock { state in
            defer { state = State(isCancelled: true) }
            return state.subscription
        }
        ended?.cancel()
    }

    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    private func keep(_ subscription: AnyCancellable) {
        let isLate = state.withLock { state in
            if !state.isCancelled { state.subscription = subscription }
            return state.isCancelled
        }
        if isLate { subscription.cancel() }
    }
}

extension Delivery {
    /// Waits until it is the caller's turn.
    fileprivate func turn() async {
        await withCheckedContinuation { caller in self { caller.resume() } }
    }
}

/// A `Delivery` as a scheduler.
private struct DeliveryScheduler: Scheduler {
    typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
    typealias SchedulerOptions = Never

    let deliver: Delivery

    var now: SchedulerTimeType { DispatchQueue.global().now }
    var minimumTolerance: SchedulerTimeType.Stride { DispatchQueue.global().minimumTolerance }

    func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
        deliver(action)
    }

    func schedule(
        after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
        _ action: @escaping () -> Void
    ) {
        DispatchQueue.global().schedule(after: date, tolerance: tolerance, options: nil) { deliver(action) }
    }

    func schedule(
        after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
        options: SchedulerOptions?, _ action: @escaping () -> Void
    ) -> any Cancellable {
        DispatchQueue.global().schedule(after: date, interval: interval, tolerance: tolerance, options: nil) {
            deliver(action)
        }
    }
}
