import Combine

/// Shows each score, and returns when the publisher finishes or the task is cancelled.
public func showScores(
    of scores: AnyPublisher<Int, Never>, show: @escaping (Int) -> Void
) async {
    // The subscription ends on this line, and the function returns. Wait for the scores in a loop.
    _ = scores.sink { score in show(score) }
}
