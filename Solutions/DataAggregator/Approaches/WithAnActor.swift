// right: an actor collects the parts of a group that returns nothing
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
        let parts = Parts()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await parts.set(users: try await self.fetchUsers()) }
            group.addTask { await parts.set(posts: try await self.fetchPosts()) }
            group.addTask { await parts.set(comments: try await self.fetchComments()) }
            for try await _ in group {}
        }
        return await parts.data
    }
}

private actor Parts {
    private(set) var data = AggregatedData(users: [], posts: [], comments: [])

    func set(users: [User]) { data.users = users }
    func set(posts: [Post]) { data.posts = posts }
    func set(comments: [Comment]) { data.comments = comments }
}
