// mutant: the loop runs in a task of its own, for which nothing waits
// fails: ScoreLoopTests/everyScoreIsShown()
// fails: ScoreLoopXCTests/testCancellingTheTaskEndsTheSubscription
// hint: ScoreLoopTests/everyScoreIsShown() shown
import Combine

public func showScores(
    of scores: AnyPublisher<Int, Never>, show: @escaping (Int) -> Void
) async {
    Task {
        for await score in scores.values { show(score) }
    }
}
