// mutant: `zip` of three futures, and nobody can cancel their tasks
// fails: DataAggregatorTests/cancellingTheCallerCancelsAllThree()
// fails: DataAggregatorTests/anErrorCancelsTheOthers()
// fails: DataAggregatorTests/anErrorMayMeetAnything()
// fails: DataAggregatorTests/aCancellationMayMeetAnything()
// hint: DataAggregatorTests/cancellingTheCallerCancelsAllThree() callerCancels
import Combine

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
        let all = Publishers.Zip3(future(fetchUsers), future(fetchPosts), future(fetchComments))
            .map { AggregatedData(users: $0, posts: $1, comments: $2) }
        for try await data in all.values { return data }
        throw CancellationError()
    }

    private func future<T: Sendable>(_ fetch: @escaping @Sendable () async throws -> T) -> Future<T, Error> {
        Future { promise in
            Task {
                do { promise(.success(try await fetch())) } catch { promise(.failure(error)) }
            }
        }
    }
}
