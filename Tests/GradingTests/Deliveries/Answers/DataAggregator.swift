import Synchronization

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
    private let deliver = Delivery()

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
    ///
    /// The first error in time cancels the other requests and is thrown. Cancelling the caller cancels all three.
    public func fetchAllData() async throws -> AggregatedData {
        let call = Call(deliver: deliver)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                call.begin(
                    continuation,
                    [
                        { call in
                            let users = try await self.fetchUsers()
                            call.deliver { $0.users = users }
                        },
                        { call in
                            let posts = try await self.fetchPosts()
                            call.deliver { $0.posts = posts }
                        },
                        { call in
                            let comments = try await self.fetchComments()
                            call.deliver { $0.comments = comments }
                        },
                    ])
            }
        } onCancel: {
            call.cancel()
        }
    }
}

/// One call: its three requests, and who waits for them.
private final class Call: Sendable {
    typealias Continuation = CheckedContinuation<AggregatedData, any Error>

    private struct State {
        var continuation: Continuation?
        var requests: [Task<Void, Never>] = []
        var isCancelled = false
        var data = AggregatedData(users: [], posts: [], comments: [])
        var missing = 0
    }

    private let state = Mutex(State())
    private let delivery: Delivery

    init(deliver: Delivery) {
        delivery = deliver
    }

    func begin(_ continuation: Continuation, _ requests: [@Sendable (Call) async throws -> Void]) {
        state.withLock { state in
            state.continuation = continuation
            state.missing = requests.count
            state.requests = requests.map { request in
                Task {
                    self.waitForBegin()
                    do { try await request(self) } catch { self.fail(with: error) }
                }
            }
            // The requests are made all the same: how they end is up to them.
            if state.isCancelled { state.requests.forEach { $0.cancel() } }
        }
    }

    /// A request begins when all are registered, and cancelled where the caller was cancelled before: for an instant only.
    private func waitForBegin() {
        state.withLock { _ in }
    }

    func cancel() {
        let requests = state.withLock { state in
            state.isCancelled = true
            return state.requests
        }
        requests.forEach { $0.cancel() }
    }

    /// Delivers a part, and all of them to the caller where it is the last one.
    func deliver(_ part: @escaping (inout AggregatedData) -> Void) {
        delivery {
            let complete: (Continuation, AggregatedData)? = self.state.withLock { state in
                guard let continuation = state.continuation else { return nil }
                part(&state.data)
                state.missing -= 1
                guard state.missing == 0 else { return nil }
                state.continuation = nil
                state.requests = []
                return (continuation, state.data)
            }
            if let (continuation, data) = complete { continuation.resume(returning: data) }
        }
    }

    /// Which error is the first is decided here and now, and it cancels the others now. The caller hears of it later.
    private func fail(with error: any Error) {
        let ended: (Continuation, [Task<Void, Never>])? = state.withLock { state in
            guard let continuation = state.continuation else { return nil }
            state.continuation = nil
            defer { state.requests = [] }
            return (continuation, state.requests)
        }
        guard let (continuation, requests) = ended else { return }
        requests.forEach { $0.cancel() }
        delivery { continuation.resume(throwing: error) }
    }
}
