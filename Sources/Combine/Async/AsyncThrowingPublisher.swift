extension Publisher {
    /// This publisher's values as an asynchronous sequence, which throws the failure.
    public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}

/// A publisher's values for `for try await`. It asks for each as it is awaited, so that none gets lost and none is
/// kept.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
    public typealias Element = P.Output

    private let publisher: P

    public init(_ publisher: P) {
        self.publisher = publisher
    }

    public func makeAsyncIterator() -> Iterator {
        let inbox = ValueInbox<P.Output, P.Failure>()
        publisher.subscribe(inbox)
        return Iterator(inbox: inbox)
    }

    /// Asks for one value after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let inbox: ValueInbox<P.Output, P.Failure>

        public mutating func next() async throws -> P.Output? {
            try await inbox.next().get()
        }
    }
}
