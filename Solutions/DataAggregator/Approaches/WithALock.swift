// right: three tasks that report to a collector behind a lock; the caller waits on a continuation
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

    public func fetchAllData() async throws -> AggregatedData {
        let collector = Collector()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                collector.begin(continuation)
                collector.run { [fetchUsers] in
                    let users = try await fetchUsers()
                    return { $0.users = users }
                }
                collector.run { [fetchPosts] in
                    let posts = try await fetchPosts()
                    return { $0.posts = posts }
                }
                collector.run { [fetchComments] in
                    let comments = try await fetchComments()
                    return { $0.comments = comments }
                }
            }
        } onCancel: {
            collector.cancel()
        }
    }
}

private final class Collector: @unchecked Sendable {
    typealias Caller = CheckedContinuation<AggregatedData, Error>
    typealias Change = @Sendable (inout AggregatedData) -> Void

    private let lock = NSLock()
    private var data = AggregatedData(users: [], posts: [], comments: [])
    private var missing = 3
    private var isCancelled = false
    private var tasks: [Task<Void, Never>] = []
    private var caller: Caller?

    func begin(_ caller: Caller) {
        lock.withLock { self.caller = caller }
    }

    func run(_ request: @escaping @Sendable () async throws -> Change) {
        let task = Task {
            do { self.take(try await request()) } catch { self.fail(error) }
        }
        let isLate = lock.withLock {
            tasks.append(task)
            return isCancelled
        }
        if isLate { task.cancel() }
    }

    func cancel() {
        let tasks = lock.withLock {
            isCancelled = true
            return self.tasks
        }
        tasks.forEach { $0.cancel() }
    }

    private func take(_ change: Change) {
        let (caller, data) = lock.withLock { () -> (Caller?, AggregatedData) in
            change(&self.data)
            missing -= 1
            return (missing == 0 ? takeCaller() : nil, self.data)
        }
        caller?.resume(returning: data)
    }

    private func fail(_ error: Error) {
        lock.withLock { takeCaller() }?.resume(throwing: error)
        cancel()
    }

    private func takeCaller() -> Caller? {
        defer { caller = nil }
        return caller
    }
}
