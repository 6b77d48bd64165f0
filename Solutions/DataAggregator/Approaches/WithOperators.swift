// right: `zip` of three futures, received on the main queue
import Combine
import Dispatch

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
        let all = Publishers.Zip3(publisher(fetchUsers), publisher(fetchPosts), publisher(fetchComments))
            .map { AggregatedData(users: $0, posts: $1, comments: $2) }
            .receive(on: DispatchQueue.main)
        for try await data in all.values { return data }
        // A cancelled loop over `values` ends without an error.
        throw CancellationError()
    }

    private func publisher<T: Sendable>(_ fetch: @escaping @Sendable () async throws -> T) -> AnyPublisher<T, Error> {
        Deferred {
            let task = Task { try await fetch() }
            return Future { promise in
                Task { promise(await task.result) }
            }
            .handleEvents(receiveCancel: { task.cancel() })
        }
        .eraseToAnyPublisher()
    }
}
