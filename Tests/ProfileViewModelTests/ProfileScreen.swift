import Combine
import Foundation
import KataSupport
import ProfileViewModel

/// The methods that begin a load.
enum Door: String, Sendable {
    case loadUser = "fetchUser"
    case loadUserPublisher = "fetchUserPublisher"

    /// The method of the view model.
    var name: String { self == .loadUser ? "loadUser" : "loadUserPublisher" }

    /// What the repository is asked, as it is shown.
    func call(_ id: String) -> String { "\(rawValue)(id: \"\(id)\")" }
}

/// A screen with a profile. A test begins loads, and ends them as it likes.
@MainActor final class ProfileScreen {
    private let repository: Repository
    private(set) var model: ProfileViewModel?

    init(_ whenCancelled: Fetch.Reaction = .throwsCancellationError) async {
        repository = Repository(whenCancelled)
        await KataSupport.settle()
        model = ProfileViewModel(repository: repository)
        await KataSupport.settle()
    }

    /// Begins a load; returns the task that awaits `loadUser`.
    @discardableResult
    func load(_ id: String, through door: Door) async -> Task<Void, Never> {
        let caller = Task { [model] in
            guard let model else { return }
            switch door {
            case .loadUser: await model.loadUser(id: id)
            case .loadUserPublisher: model.loadUserPublisher(id: id)
            }
        }
        await KataSupport.settle()
        return caller
    }

    /// The latest load of this user.
    func running(_ id: String, through door: Door) throws -> Load {
        let load = repository.loads.events.last { $0.call == door.call(id) }
        if let load { return load }
        let calls = repository.loads.events.map(\.call)
        let isOtherDoor = !calls.contains { $0.hasPrefix(door.rawValue + "(") }
        throw KataSupport.Mismatch(
            expected: door.call(id), actual: calls.isEmpty ? "–" : calls.joined(separator: ", "),
            kind: calls.isEmpty ? .nothing : isOtherDoor ? .different : .missing)
    }

    /// Ends the latest load of this user with a name.
    func answer(_ id: String, through door: Door, with name: String) async throws {
        try running(id, through: door).end(.success(User(id: id, name: name)))
        await KataSupport.settle()
    }

    /// Ends the latest load of this user with a failure.
    func fail(_ id: String, through door: Door, with message: String) async throws {
        try running(id, through: door).end(.failure(Offline(message: message)))
        await KataSupport.settle()
    }

    /// Ends the latest publisher of this user without a user.
    func finish(_ id: String) async throws {
        try running(id, through: .loadUserPublisher).finish()
        await KataSupport.settle()
    }

    /// Another thread ends the latest publisher of this user. Only then the main thread, which is busy until then, does
    /// something else, so what was sent still waits for it.
    func endWhileBusy(
        _ id: String, with result: Result<User, any Error>, then work: (ProfileViewModel?) -> Void
    ) throws {
        let load = try running(id, through: .loadUserPublisher)
        let sent = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            load.end(result)
            sent.signal()
        }
        // An answer that waits for the main thread returns only later.
        _ = sent.wait(timeout: .now() + 0.5)
        work(model)
    }

    func cancelLoading() async {
        model?.cancelLoading()
        await KataSupport.settle()
    }

    /// Leaves the screen: nobody but the view model itself holds the view model any more.
    func leave() async {
        model = nil
        await KataSupport.settle()
    }

    func expectCalls(_ ids: [String], through door: Door) throws {
        try KataSupport.expect(repository.loads.events.map(\.call), equals: ids.map(door.call))
    }

    // MARK: - What the screen shows

    /// An array shows what is not there as “–”.
    func expectName(_ name: String?) throws {
        try KataSupport.expect([model?.user?.name].compactMap(\.self), equals: [name].compactMap(\.self))
    }

    func expectMessage(_ message: String?) throws {
        try KataSupport.expect([model?.errorMessage].compactMap(\.self), equals: [message].compactMap(\.self))
    }

    func expectLoading(_ isLoading: Bool) throws {
        try KataSupport.expect("isLoading = \(model?.isLoading ?? false)", equals: "isLoading = \(isLoading)")
    }
}

/// A load that runs until the test ends it.
struct Load: Sendable {
    var id: String
    var call: String
    var end: @Sendable (Result<User, any Error>) -> Void
    /// Ends a publisher without a user.
    var finish: @Sendable () -> Void = {}
    /// Waits until the load is cancelled.
    var cancelled: @Sendable () async throws -> Void
}

/// A repository that answers when the test wants it to.
private final class Repository: UserRepositoryProtocol {
    let loads = KataSupport.Log<Load>()
    private let whenCancelled: Fetch.Reaction

    init(_ whenCancelled: Fetch.Reaction) {
        self.whenCancelled = whenCancelled
    }

    func fetchUser(id: String) async throws -> User {
        let fetch = Fetch()
        loads.record(
            Load(
                id: id, call: Door.loadUser.call(id), end: { fetch.end(with: $0) },
                cancelled: { try await fetch.cancelled() }))
        return try await fetch.run(whenCancelled)
    }

    func fetchUserPublisher(id: String) -> AnyPublisher<User, any Error> {
        let publisher = KataSupport.ProbePublisher<User, any Error>(
            whenCancelled == .goesOn ? .ignoresTheEnd : .correct)
        let end = { @Sendable (result: Result<User, any Error>) in
            switch result {
            case .success(let user):
                publisher.send(user)
                publisher.send(completion: .finished)
            case .failure(let error): publisher.send(completion: .failure(error))
            }
        }
        loads.record(
            Load(
                id: id, call: Door.loadUserPublisher.call(id), end: end,
                finish: { publisher.send(completion: .finished) }, cancelled: { try await publisher.cancelled() }))
        return publisher.eraseToAnyPublisher()
    }
}

/// A fetch that runs until the test ends it.
final class Fetch: Sendable {
    enum Reaction: Sendable {
        case throwsCancellationError
        /// As `URLSession` does.
        case throwsAnotherError
        case goesOn
    }

    private let gate = KataSupport.Gate()
    private let result = KataSupport.Observed<Result<User, any Error>?>(nil)
    private let cancellations = KataSupport.Observed(0)

    func run(_ whenCancelled: Reaction) async throws -> User {
        if whenCancelled == .goesOn {
            await gate.passEvenIfCancelled()
        } else {
            do {
                try await gate.pass()
            } catch {
                cancellations.update { $0 += 1 }
                throw whenCancelled == .throwsAnotherError ? Offline(message: "cancelled") : error
            }
        }
        return try result.value?.get() ?? User(id: "", name: "")
    }

    func end(with result: Result<User, any Error>) {
        self.result.update { $0 = result }
        gate.open()
    }

    /// Waits until the fetch is cancelled.
    func cancelled() async throws {
        try await cancellations.until(for: .cancellation, showing: { "\($0)/1" }) { $0 > 0 }
    }
}

/// An error with a message for people.
struct Offline: LocalizedError {
    var message: String

    var errorDescription: String? { message }
}
