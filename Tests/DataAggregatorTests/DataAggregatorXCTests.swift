import DataAggregator
import KataSupport
import XCTest

final class DataAggregatorXCTests: XCTestCase {
    func testEachPartIsInItsPlace() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let numbers = values.integers(6)
        let clock = KataSupport.TestClock()
        let aggregator = DataAggregator(
            fetchUsers: {
                try await clock.sleep(for: .milliseconds(100))
                return [User(id: numbers[0])]
            },
            fetchPosts: {
                try await clock.sleep(for: .milliseconds(200))
                return [Post(id: numbers[1]), Post(id: numbers[2])]
            },
            fetchComments: {
                try await clock.sleep(for: .milliseconds(300))
                return [Comment(id: numbers[3]), Comment(id: numbers[4]), Comment(id: numbers[5])]
            })
        let call = Task { try await aggregator.fetchAllData() }
        await clock.advance(by: .seconds(1))
        let result = try await KataSupport.result(of: call)
        try KataSupport.expect(
            result.map(\.parts),
            equals: [
                "users [\(numbers[0])]", "posts [\(numbers[1]), \(numbers[2])]",
                "comments [\(numbers[3]), \(numbers[4]), \(numbers[5])]",
            ])
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
