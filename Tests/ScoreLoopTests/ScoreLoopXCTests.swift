import Combine
import KataSupport
import ScoreLoop
import XCTest

final class ScoreLoopXCTests: XCTestCase {
    func testCancellingTheTaskEndsTheSubscription() async throws {
        await KataSupport.settle()
        var values = KataSupport.Values()
        let number = values.integer()
        let scores = KataSupport.ProbePublisher<Int, Never>()
        let history = KataSupport.Log<String>()
        let task = Task {
            await showScores(of: scores.eraseToAnyPublisher()) { history.record("\($0)") }
            history.record("returned")
        }
        defer { task.cancel() }
        try await scores.sendWhenAsked(number)
        await KataSupport.settle()
        history.record("cancel")
        task.cancel()
        try await scores.cancelled()
        await KataSupport.settle()
        try KataSupport.expect(history.events, equals: ["\(number)", "cancel", "returned"])
    }
}
