// mutant: store copies the parts under the lock, changes the copy, and writes it back under the lock in a second step, so one of two parts that arrive together is lost
// fails: DataAggregatorTests/partsThatComeAtTheSameMomentAreKept()
// hint: DataAggregatorTests/partsThatComeAtTheSameMomentAreKept() race
import Foundation

public struct User: Equatable, Sendable {
    public var id: Int

    public init(id: Int) { self.id = id }
}

public struct Post: Equatable, Sendable {
    public var id: Int

    public init(id: Int) { self.id = id }
}

public struct Comment: Equatable, Sendable {
    public var id: Int

    public init(id: Int) { self.id = id }
}

/// What the start screen shows.
public struct AggregatedData: Equatable, Sendable {
    public var users: [User]
    public var posts: [Post]
    public var comments: [Comment]

    public init(users: [User], posts: [Post], comments: [Comment]) {
        self.users = users
        self.posts = posts
        self.comments = comments
    }
}

/// Loads the three parts of the start screen.
public final class DataAggregator: Sendable {
    private let fetchUsers: @Sendable () async throws -> [User]
    private let fetchPosts: @Sendable () async throws -> [Post]
    private let fetchComments: @Sendable () async throws -> [Comment]

    public init(
        fetchUsers: @escaping @Sendable () async throws -> [User],
        fetchPosts: @escaping @Sendable () async throws -> [Post],
        fetchComments: @escaping @Sendable () async throws -> [Comment]
    ) {
        self.fetchUsers = fetchUsers
        self.fetchPosts = fetchPosts
        self.fetchComments = fetchComments
    }

    /// Loads all three parts at the same time.
    public func fetchAllData() async throws -> AggregatedData {
        let round = Round()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                round.begin(continuation)
                round.start { [fetchUsers] in
                    let users = try await fetchUsers()
                    round.store { $0.users = users }
                }
                round.start { [fetchPosts] in
                    let posts = try await fetchPosts()
                    round.store { $0.posts = posts }
                }
                round.start { [fetchComments] in
                    let comments = try await fetchComments()
                    round.store { $0.comments = comments }
                }
            }
        } onCancel: {
            round.stop()
        }
    }
}

/// The parts that one call has so far.
private struct Parts {
    var users: [User]?
    var posts: [Post]?
    var comments: [Comment]?

    var complete: AggregatedData? {
        guard let users, let posts, let comments else { return nil }
        return AggregatedData(users: users, posts: posts, comments: comments)
    }
}

/// One call of `fetchAllData`: its tasks, its parts, and the caller that waits.
private final class Round: @unchecked Sendable {
    private let lock = NSLock()
    private var parts = Parts()
    private var tasks: [Task<Void, Never>] = []
    private var isStopped = false
    private var continuation: CheckedContinuation<AggregatedData, any Error>?

    func begin(_ continuation: CheckedContinuation<AggregatedData, any Error>) {
        lock.withLock { self.continuation = continuation }
    }

    func start(_ work: @escaping @Sendable () async throws -> Void) {
        let task = Task {
            self.cancelIfStopped()
            do {
                try await work()
            } catch {
                self.fail(error)
            }
        }
        let isTooLate = lock.withLock {
            if !isStopped { tasks.append(task) }
            return isStopped
        }
        if isTooLate { task.cancel() }
    }

    func store(_ change: (inout Parts) -> Void) {
        var copy = lock.withLock { parts }
        change(&copy)
        lock.withLock { parts = copy }
        let complete = copy.complete
        if let complete {
            takeContinuation()?.resume(returning: complete)
        }
    }

    func fail(_ error: any Error) {
        let waiting = takeContinuation()
        stop()
        waiting?.resume(throwing: error)
    }

    func stop() {
        let running = lock.withLock {
            defer { tasks = [] }
            isStopped = true
            return tasks
        }
        for task in running { task.cancel() }
    }

    /// A task of a call that has already stopped must not begin its request as if nothing had happened.
    private func cancelIfStopped() {
        if lock.withLock({ isStopped }) {
            withUnsafeCurrentTask { $0?.cancel() }
        }
    }

    private func takeContinuation() -> CheckedContinuation<AggregatedData, any Error>? {
        lock.withLock {
            defer { continuation = nil }
            return continuation
        }
    }
}
