// mutant: the first error is thrown at once, and the other requests go on
// fails: DataAggregatorTests/anErrorCancelsTheOthers()
// fails: DataAggregatorTests/anErrorMayMeetAnything()
// hint: DataAggregatorTests/anErrorCancelsTheOthers() errorCancels
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
        let (parts, continuation) = AsyncThrowingStream<Part, Error>.makeStream()
        let work = [
            run({ .users(try await self.fetchUsers()) }, into: continuation),
            run({ .posts(try await self.fetchPosts()) }, into: continuation),
            run({ .comments(try await self.fetchComments()) }, into: continuation),
        ]
        return try await withTaskCancellationHandler {
            var data = AggregatedData(users: [], posts: [], comments: [])
            var missing = work.count
            for try await part in parts {
                switch part {
                case .users(let users): data.users = users
                case .posts(let posts): data.posts = posts
                case .comments(let comments): data.comments = comments
                }
                missing -= 1
                if missing == 0 { return data }
            }
            throw CancellationError()
        } onCancel: {
            work.forEach { $0.cancel() }
        }
    }

    private func run(
        _ request: @escaping @Sendable () async throws -> Part,
        into continuation: AsyncThrowingStream<Part, Error>.Continuation
    ) -> Task<Void, Never> {
        Task {
            do { continuation.yield(try await request()) } catch { continuation.finish(throwing: error) }
        }
    }

    private enum Part: Sendable {
        case users([User])
        case posts([Post])
        case comments([Comment])
    }
}
