// right: three `async let`, and a task group that receives the first error
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
        let (errors, continuation) = AsyncStream<Error>.makeStream()
        @Sendable func telling<T: Sendable>(_ fetch: @Sendable () async throws -> T) async throws -> T {
            do { return try await fetch() } catch {
                continuation.yield(error)
                throw error
            }
        }
        return try await withThrowingTaskGroup(of: AggregatedData?.self) { group in
            group.addTask { [fetchUsers, fetchPosts, fetchComments] in
                async let users = telling(fetchUsers)
                async let posts = telling(fetchPosts)
                async let comments = telling(fetchComments)
                return try await AggregatedData(users: users, posts: posts, comments: comments)
            }
            group.addTask {
                for await error in errors { throw error }
                return nil
            }
            defer { continuation.finish() }
            guard let data = try await group.next() ?? nil else { throw CancellationError() }
            return data
        }
    }
}
