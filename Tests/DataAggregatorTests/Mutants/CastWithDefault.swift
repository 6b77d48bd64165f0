// mutant: what does not have the expected type becomes empty
// fails: DataAggregatorTests/partsStayInTheirPlacesInAnyOrder()
// fails: DataAggregatorTests/anEmptyPartStaysInItsPlace()
// fails: DataAggregatorTests/twoCallsDoNotMix()
// fails: DataAggregatorTests/partsThatComeAtTheSameMomentAreKept()
// hint: DataAggregatorTests/partsStayInTheirPlacesInAnyOrder() order
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

            var results: [any Sendable] = []
            for try await result in group { results.append(result) }
            return AggregatedData(
                users: results[0] as? [User] ?? [], posts: results[1] as? [Post] ?? [],
                comments: results[2] as? [Comment] ?? [])
        }
    }
}
