// mutant: the errors of the requests that it has cancelled replace the one that came first
// fails: DataAggregatorTests/anErrorArrivesAsItIs()
// fails: DataAggregatorTests/anErrorDoesNotWaitForTheOthers()
// fails: DataAggregatorTests/theErrorThatIsFirstInTimeIsThrown()
// fails: DataAggregatorTests/anErrorMayMeetAnything()
// hint: DataAggregatorTests/anErrorArrivesAsItIs() error
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
        try await withThrowingTaskGroup(of: Part.self) { group in
            group.addTask { .users(try await self.fetchUsers()) }
            group.addTask { .posts(try await self.fetchPosts()) }
            group.addTask { .comments(try await self.fetchComments()) }

            var data = AggregatedData(users: [], posts: [], comments: [])
            var lastError: Error?
            while let result = await group.nextResult() {
                switch result {
                case .success(.users(let users)): data.users = users
                case .success(.posts(let posts)): data.posts = posts
                case .success(.comments(let comments)): data.comments = comments
                case .failure(let error):
                    lastError = error
                    group.cancelAll()
                }
            }
            if let lastError { throw lastError }
            return data
        }
    }

    private enum Part: Sendable {
        case users([User])
        case posts([Post])
        case comments([Comment])
    }
}
