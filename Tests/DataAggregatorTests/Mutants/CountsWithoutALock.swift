// mutant: the missing parts are counted without a lock
// fails: DataAggregatorTests/partsThatComeAtTheSameMomentAreKept()
// hint: DataAggregatorTests/partsThatComeAtTheSameMomentAreKept() dataRace
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
        let call = Call()
        let tasks: [Task<Void, Never>] = [
            Task { [fetchUsers] in
                do { call.users = try await fetchUsers(); call.partIsThere() } catch { call.end(.failure(error)) }
            },
            Task { [fetchPosts] in
                do { call.posts = try await fetchPosts(); call.partIsThere() } catch { call.end(.failure(error)) }
            },
            Task { [fetchComments] in
                do { call.comments = try await fetchComments(); call.partIsThere() } catch { call.end(.failure(error)) }
            },
        ]
        defer { tasks.forEach { $0.cancel() } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { call.wait($0) }
        } onCancel: {
            tasks.forEach { $0.cancel() }
        }
    }
}

/// What one call has so far.
private final class Call: @unchecked Sendable {
    private let lock = NSLock()
    private var continuation: CheckedContinuation<AggregatedData, Error>?
    private var outcome: Result<AggregatedData, Error>?

    var users: [User] = []
    var posts: [Post] = []
    var comments: [Comment] = []
    private var missing = 3

    func partIsThere() {
        missing -= 1
        if missing == 0 {
            end(.success(AggregatedData(users: users, posts: posts, comments: comments)))
        }
    }

    func wait(_ continuation: CheckedContinuation<AggregatedData, Error>) {
        let outcome = lock.withLock { () -> Result<AggregatedData, Error>? in
            if self.outcome == nil { self.continuation = continuation }
            return self.outcome
        }
        if let outcome { continuation.resume(with: outcome) }
    }

    func end(_ outcome: Result<AggregatedData, Error>) {
        let continuation = lock.withLock { () -> CheckedContinuation<AggregatedData, Error>? in
            guard self.outcome == nil else { return nil }
            self.outcome = outcome
            defer { self.continuation = nil }
            return self.continuation
        }
        continuation?.resume(with: outcome)
    }
}
