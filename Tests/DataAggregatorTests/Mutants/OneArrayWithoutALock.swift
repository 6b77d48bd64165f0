// mutant: three tasks append to one array without a lock
// fails: DataAggregatorTests/partsThatComeAtTheSameMomentAreKept()
// hint: DataAggregatorTests/partsThatComeAtTheSameMomentAreKept() dataRace
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
        try Task.checkCancellation()
        let parts = Parts()
        let (users, posts, comments) = (fetchUsers, fetchPosts, fetchComments)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { parts.list.append(.users(try await users())) }
            group.addTask { parts.list.append(.posts(try await posts())) }
            group.addTask { parts.list.append(.comments(try await comments())) }
            while try await group.next() != nil {}
        }
        var data = AggregatedData(users: [], posts: [], comments: [])
        for part in parts.list {
            switch part {
            case .users(let users): data.users = users
            case .posts(let posts): data.posts = posts
            case .comments(let comments): data.comments = comments
            }
        }
        return data
    }
}

private final class Parts: @unchecked Sendable {
    var list: [Part] = []
}

private enum Part: Sendable {
    case users([User])
    case posts([Post])
    case comments([Comment])
}
