/// What makes an iterator and what its first `next()` does are two moments that a loop has in one.
///
/// The iterator of an asynchronous sequence, made at once, whose type is its own business. One caller at a time.
///
///     let steps = KataSupport.Steps(of: publisher.eraseToAnyPublisher().sequence)
///     let first = try await steps.next()
///     steps.drop()
public final class Steps<Element: Sendable>: @unchecked Sendable {  // one caller at a time, which a suite is
    private var iterate: (() async throws -> Element?)?

    public init<Values: AsyncSequence>(of sequence: Values) where Values.Element == Element {
        var iterator = sequence.makeAsyncIterator()
        iterate = { try await iterator.next() }
    }

    /// The next value; nil at the end.
    public func next() async throws -> Element? {
        try await withDeadline { [self] in try await iterate?() }
    }

    /// Lets go of the iterator.
    public func drop() {
        iterate = nil
    }
}
