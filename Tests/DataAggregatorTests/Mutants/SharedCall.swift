// mutant: a call that comes while another one runs shares its task
// fails: DataAggregatorTests/twoCallsDoNotMix()
// fails: DataAggregatorTests/aCallThatEndsLeavesTheOthersAlone()
// hint: DataAggregatorTests/twoCallsDoNotMix() mix.shared
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

    private let lock = NSLock()
    nonisolated(unsafe) private var running: Task<AggregatedData, any Error>?

    public func fetchAllData() async throws -> AggregatedData {
        try Task.checkCancellation()
        let task = current()
        return try await withTaskCancellationHandler { try await task.value } onCancel: { task.cancel() }
    }

    private func current() -> Task<AggregatedData, any Error> {
        lock.lock()
        defer { lock.unlock() }
        if let running { return running }
        let task = Task {
            defer { forget() }
            return try await fetchParts()
        }
        running = task
        return task
    }

    private func forget() {
        lock.lock()
        running = nil
        lock.unlock()
    }

    private func fetchParts() async throws -> AggregatedData {
        try Task.checkCancellation()
        return try await withThrowingTaskGroup(of: Part.self) { group in
            group.addTask { .users(try await self.fetchUsers()) }
            group.addTask { .posts(try await self.fetchPosts()) }
            group.addTask { .comments(try await self.fetchComments()) }
            var data = AggregatedData(users: [], posts: [], comments: [])
            for try await part in group {
                switch part {
                case .users(let users): data.users = users
                case .posts(let posts): data.posts = posts
                case .comments(let comments): data.comments = comments
                }
            }
            return data
        }
    }
}

private enum Part: Sendable {
    case users([User])
    case posts([Post])
    case comments([Comment])
}
