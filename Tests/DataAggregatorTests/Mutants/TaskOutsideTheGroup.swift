// mutant: the posts are fetched in a task of their own inside the child task, which no cancellation reaches
// fails: DataAggregatorTests/cancellingTheCallerCancelsAllThree()
// fails: DataAggregatorTests/anErrorDoesNotWaitForTheOthers()
// fails: DataAggregatorTests/anErrorCancelsTheOthers()
// fails: DataAggregatorTests/aCancelledCallThrows()
// fails: DataAggregatorTests/aCallInACancelledTaskThrows()
// hint: DataAggregatorTests/cancellingTheCallerCancelsAllThree() callerCancels.nested
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
        try await withThrowingTaskGroup(of: Entry.self) { group in
            group.addTask { [fetchUsers] in
                let users = try await fetchUsers()
                return { $0.users = users }
            }
            group.addTask { [fetchPosts] in
                let posts = try await Task { try await fetchPosts() }.value
                return { $0.posts = posts }
            }
            group.addTask { [fetchComments] in
                let comments = try await fetchComments()
                return { $0.comments = comments }
            }
            var data = AggregatedData(users: [], posts: [], comments: [])
            for try await enter in group {
                enter(&data)
            }
            return data
        }
    }

    /// Puts one part in its place.
    private typealias Entry = @Sendable (inout AggregatedData) -> Void
}
