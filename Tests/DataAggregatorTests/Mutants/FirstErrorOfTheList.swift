// mutant: of several errors, the first one in the order of the requests is thrown
// fails: DataAggregatorTests/anErrorDoesNotWaitForTheOthers()
// fails: DataAggregatorTests/theErrorThatIsFirstInTimeIsThrown()
// hint: DataAggregatorTests/anErrorDoesNotWaitForTheOthers() errorWaits.other
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
        return try await withThrowingTaskGroup(of: (Int, Result<Part, any Error>).self) { group in
            group.addTask { [fetchUsers] in (0, await result { .users(try await fetchUsers()) }) }
            group.addTask { [fetchPosts] in (1, await result { .posts(try await fetchPosts()) }) }
            group.addTask { [fetchComments] in (2, await result { .comments(try await fetchComments()) }) }
            var data = AggregatedData(users: [], posts: [], comments: [])
            var errors: [(any Error)?] = [nil, nil, nil]
            for try await (index, result) in group {
                switch result {
                case .success(.users(let users)): data.users = users
                case .success(.posts(let posts)): data.posts = posts
                case .success(.comments(let comments)): data.comments = comments
                case .failure(let error):
                    errors[index] = error
                    group.cancelAll()
                }
            }
            if let error = errors.compactMap({ $0 }).first { throw error }
            return data
        }
    }
}

private enum Part: Sendable {
    case users([User])
    case posts([Post])
    case comments([Comment])
}

private func result(_ body: () async throws -> Part) async -> Result<Part, any Error> {
    do {
        return .success(try await body())
    } catch {
        return .failure(error)
    }
}
