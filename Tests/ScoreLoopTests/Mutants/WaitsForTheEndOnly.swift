// mutant: a continuation waits for the completion, and does not notice a cancellation
// fails: ScoreLoopXCTests/testCancellingTheTaskEndsTheSubscription
// hint: ScoreLoopXCTests/testCancellingTheTaskEndsTheSubscription cancel
import Combine

public func showScores(
    of scores: AnyPublisher<Int, Never>, show: @escaping (Int) -> Void
) async {
    var subscription: AnyCancellable?
    await withCheckedContinuation { continuation in
        subscription = scores.sink { _ in
            continuation.resume()
        } receiveValue: { score in
            show(score)
        }
    }
    subscription?.cancel()
}
