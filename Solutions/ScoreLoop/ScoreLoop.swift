import Combine

/// Shows each score, and returns when the publisher finishes or the task is cancelled.
public func showScores(
    of scores: AnyPublisher<Int, Never>, show: @escaping (Int) -> Void
) async {
    for await score in scores.values {
        show(score)
    }
}
