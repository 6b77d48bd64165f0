// Streams, their continuations and policies, async iterators of one's own.
struct Countdown: AsyncSequence, AsyncIteratorProtocol {
    typealias Element = Int
    var left = 3
    mutating func next() async throws -> Int? { left == 0 ? nil : { left -= 1; return left }() }
    func makeAsyncIterator() -> Countdown { self }
}
/*TALLY*/
public struct NoValue: Error { public init() {} }
public func firstValue<Element: Sendable>(of stream: AsyncStream<Element>) async throws -> Element {
    let (relay, feed) = AsyncThrowingStream<Element, Error>.makeStream(bufferingPolicy: .bufferingNewest(1))
    var iterator = stream.makeAsyncIterator()
    if let value = await iterator.next() { feed.yield(value) }
    feed.onTermination = { _ in }
    feed.finish()
    for try await _ in Countdown().map({ $0 * 2 }).filter({ $0 > 1 }) {}
    for try await value in relay { return value }
    throw NoValue()
}
