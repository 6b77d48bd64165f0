// mutant: a cancellation reaches the comments only through the errors of the others
// fails: DataAggregatorTests/cancellingTheCallerCancelsAllThree()
// hint: DataAggregatorTests/cancellingTheCallerCancelsAllThree() callerCancels.some
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
        let users = Task { [fetchUsers] in try await fetchUsers() }
        let posts = Task { [fetchPosts] in try await fetchPosts() }
        let comments = Task { [fetchComments] in try await fetchComments() }
        return try await withTaskCancellationHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { _ = try await users.value }
                group.addTask { _ = try await posts.value }
                group.addTask { _ = try await comments.value }
                do {
                    for try await _ in group {}
                } catch {
                    // The first error ends the others.
                    users.cancel()
                    posts.cancel()
                    comments.cancel()
                    throw error
                }
            }
            return try await AggregatedData(users: users.value, posts: posts.value, comments: comments.value)
        } onCancel: {
            users.cancel()
            posts.cancel()
        }
    }
}
