// mutant: three tasks of their own, awaited in order, and nobody cancels them
// fails: DataAggregatorTests/cancellingTheCallerCancelsAllThree()
// fails: DataAggregatorTests/anErrorDoesNotWaitForTheOthers()
// fails: DataAggregatorTests/theErrorThatIsFirstInTimeIsThrown()
// fails: DataAggregatorTests/anErrorCancelsTheOthers()
// fails: DataAggregatorTests/aCancelledCallThrows()
// fails: DataAggregatorTests/aCallInACancelledTaskThrows()
// fails: DataAggregatorTests/anErrorMayMeetAnything()
// fails: DataAggregatorTests/aCancellationMayMeetAnything()
// hint: DataAggregatorTests/cancellingTheCallerCancelsAllThree() callerCancels
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
        let users = Task { try await fetchUsers() }
        let posts = Task { try await fetchPosts() }
        let comments = Task { try await fetchComments() }
        return try await AggregatedData(users: users.value, posts: posts.value, comments: comments.value)
    }
}
