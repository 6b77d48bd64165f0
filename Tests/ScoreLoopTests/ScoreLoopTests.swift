import Combine
import KataSupport
import ScoreLoop
import Testing

@Suite(.ownProcess) struct ScoreLoopTests {
    @Test func everyScoreIsShown() async throws {
        var values = KataSupport.Values()
        let numbers = values.integers(3)
        let scores = KataSupport.ProbePublisher<Int, Never>()
        let history = KataSupport.Log<String>()
        let task = Task {
            await showScores(of: scores.eraseToAnyPublisher()) { history.record("\($0)") }
            history.record("returned")
        }
        defer { task.cancel() }
        for number in numbers {
            try await scores.sendWhenAsked(number)
            await KataSupport.settle()
        }
        scores.send(completion: .finished)
        await KataSupport.settle()
        try KataSupport.expect(history.events, equals: numbers.map { "\($0)" } + ["returned"])
    }
}
