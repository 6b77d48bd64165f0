// mutant: an error cancels the tasks that come after it
// fails: DataAggregatorTests/anErrorDoesNotWaitForTheOthers()
// fails: DataAggregatorTests/anErrorCancelsTheOthers()
// hint: DataAggregatorTests/anErrorDoesNotWaitForTheOthers() errorWaits
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
        return try await withTaskCancellationHandler {
            try await withThrowingTaskGroup(of: Part.self) { group in
                group.addTask {
                    do { return .users(try await users.value) } catch {
                        posts.cancel()
                        comments.cancel()
                        throw error
                    }
                }
                group.addTask {
                    do { return .posts(try await posts.value) } catch {
                        comments.cancel()
                        throw error
                    }
                }
                group.addTask { .comments(try await comments.value) }

                var data = AggregatedData(users: [], posts: [], comments: [])
                for try await part in group {
                    switch part {
                    case .users(let users): data.users = users
                    case .posts(let posts): data.posts = posts
                    case .comments(let comments): data.comments = comments
                    }
                }
                return data
            }
        } onCancel: {
            users.cancel()
            posts.cancel()
            comments.cancel()
        }
    }

    private enum Part: Sendable {
        case users([User])
        case posts([Post])
        case comments([Comment])
    }
}
