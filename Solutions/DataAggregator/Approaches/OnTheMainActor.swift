// right: the parts are collected on the main actor, and its separate task is cancelled by hand
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
        let load = Task { @MainActor in
            try Task.checkCancellation()
            return try await collect()
        }
        return try await withTaskCancellationHandler {
            try await load.value
        } onCancel: {
            load.cancel()
        }
    }

    @MainActor private func collect() async throws -> AggregatedData {
        var data = AggregatedData(users: [], posts: [], comments: [])
        try await withThrowingTaskGroup(of: Part.self) { group in
            group.addTask { .users(try await self.fetchUsers()) }
            group.addTask { .posts(try await self.fetchPosts()) }
            group.addTask { .comments(try await self.fetchComments()) }
            while let part = try await group.next() {
                switch part {
                case .users(let users): data.users = users
                case .posts(let posts): data.posts = posts
                case .comments(let comments): data.comments = comments
                }
            }
        }
        return data
    }

    private enum Part: Sendable {
        case users([User])
        case posts([Post])
        case comments([Comment])
    }
}
