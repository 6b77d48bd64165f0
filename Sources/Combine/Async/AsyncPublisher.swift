extension Publisher where Failure == Never {
    /// This publisher's values as an asynchronous sequence.
    public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

/// A publisher's values for `for await`. It asks for each as it is awaited, so that none gets lost and none is kept.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    public typealias Element = P.Output

    private let publisher: P

    public init(_ publisher: P) {
        self.publisher = publisher
    }

    public func makeAsyncIterator() -> Iterator {
        let inbox = ValueInbox<P.Output, Never>()
        publisher.subscribe(inbox)
        return Iterator(inbox: inbox)
    }

    /// Asks for one value after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let inbox: ValueInbox<P.Output, Never>

        public mutating func next() async -> P.Output? {
            switch await inbox.next() {
            case .success(let value): return value
            }
        }
    }
}
