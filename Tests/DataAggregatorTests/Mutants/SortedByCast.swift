// mutant: the type tells which part it is, and an empty array has any type
// fails: DataAggregatorTests/anEmptyPartStaysInItsPlace()
// hint: DataAggregatorTests/anEmptyPartStaysInItsPlace() empty
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
        try await withThrowingTaskGroup(of: (any Sendable).self) { group in
            group.addTask { try await self.fetchUsers() }
            group.addTask { try await self.fetchPosts() }
            group.addTask { try await self.fetchComments() }

            var data = AggregatedData(users: [], posts: [], comments: [])
            for try await part in group {
                if let users = part as? [User] {
                    data.users = users
                } else if let posts = part as? [Post] {
                    data.posts = posts
                } else if let comments = part as? [Comment] {
                    data.comments = comments
                }
            }
            return data
        }
    }
}
