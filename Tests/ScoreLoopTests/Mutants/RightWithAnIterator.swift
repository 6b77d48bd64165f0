// right: asks the iterator itself for each score
import Combine

public func showScores(
    of scores: AnyPublisher<Int, Never>, show: @escaping (Int) -> Void
) async {
    var iterator = scores.values.makeAsyncIterator()
    while let score = await iterator.next() { show(score) }
}
