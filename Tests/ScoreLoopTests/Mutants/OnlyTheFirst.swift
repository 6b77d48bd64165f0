// mutant: leaves the loop after the first score
// fails: ScoreLoopTests/everyScoreIsShown()
// fails: ScoreLoopXCTests/testCancellingTheTaskEndsTheSubscription
// hint: ScoreLoopTests/everyScoreIsShown() shown
import Combine

public func showScores(
    of scores: AnyPublisher<Int, Never>, show: @escaping (Int) -> Void
) async {
    for await score in scores.values {
        show(score)
        break
    }
}
