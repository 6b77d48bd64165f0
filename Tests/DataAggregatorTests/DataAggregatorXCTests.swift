import DataAggregator
import KataSupport
import XCTest

final class DataAggregatorXCTests: XCTestCase {
    func testEachPartIsInItsPlace() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let parts = (0..<3).map { _ in values.unsorted() }
        let clock = KataSupport.TestClock()
        let aggregator = DataAggregator(
            fetchUsers: {
                try await clock.sleep(for: .milliseconds(100))
                return parts[0].map { User(id: $0) }
            },
            fetchPosts: {
                try await clock.sleep(for: .milliseconds(200))
                return parts[1].map { Post(id: $0) }
            },
            fetchComments: {
                try await clock.sleep(for: .milliseconds(300))
                return parts[2].map { Comment(id: $0) }
            })
        let call = Task { try await aggregator.fetchAllData() }
        await clock.advance(by: .seconds(1))
        let result = try await KataSupport.result(of: call)
        let expected = AggregatedData(users: parts[0], posts: parts[1], comments: parts[2])
        if let data = try? result.get(), data.parts != expected.parts, data.sorted == expected.sorted {
            throw KataSupport.Mismatch(
                expected: expected.parts.joined(separator: ", "), actual: data.parts.joined(separator: ", "),
                kind: .reordered)
        }
        try KataSupport.expect(result.map(\.parts), equals: expected.parts)
    }

    func testEachPartIsAskedForOnce() async throws {
        await KataSupport.settle()
        let clock = KataSupport.TestClock()
        let asked = KataSupport.Log<String>()
        let aggregator = DataAggregator(
            fetchUsers: {
                asked.record("users")
                try await clock.sleep(for: .milliseconds(100))
                return [.init(id: 1)]
            },
            fetchPosts: {
                asked.record("posts")
                try await clock.sleep(for: .milliseconds(200))
                return [.init(id: 1)]
            },
            fetchComments: {
                asked.record("comments")
                try await clock.sleep(for: .milliseconds(300))
                return [.init(id: 1)]
            })
        let call = Task { try await aggregator.fetchAllData() }
        await clock.advance(by: .seconds(1))
        _ = try await KataSupport.result(of: call)
        try KataSupport.expect(asked.events.sorted(), equals: ["comments", "posts", "users"])
    }
}

extension AggregatedData {
    fileprivate init(users: [Int], posts: [Int], comments: [Int]) {
        self.init(
            users: users.map { .init(id: $0) }, posts: posts.map { .init(id: $0) },
            comments: comments.map { .init(id: $0) })
    }

    /// The identifiers of each part, whatever their order.
    fileprivate var sorted: [[Int]] { [users.map(\.id), posts.map(\.id), comments.map(\.id)].map { $0.sorted() } }
}

extension KataSupport.Values {
    /// Three identifiers in an order that no sort gives, neither of numbers nor of texts.
    mutating func unsorted() -> [Int] {
        let sorted = integers(3).map { 1000 + $0 }.sorted()
        return [sorted[1], sorted[2], sorted[0]]
    }
}
