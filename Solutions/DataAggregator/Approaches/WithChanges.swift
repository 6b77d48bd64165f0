// right: each task of the group returns the change that it makes
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
        typealias Change = @Sendable (inout AggregatedData) -> Void
        return try await withThrowingTaskGroup(of: Change.self) { [fetchUsers, fetchPosts, fetchComments] group in
            group.addTask {
                let users = try await fetchUsers()
                return { $0.users = users }
            }
            group.addTask {
                let posts = try await fetchPosts()
                return { $0.posts = posts }
            }
            group.addTask {
                let comments = try await fetchComments()
                return { $0.comments = comments }
            }
            return try await group.reduce(into: AggregatedData(users: [], posts: [], comments: [])) { $1(&$0) }
        }
    }
}
