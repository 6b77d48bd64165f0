import Combine
import Foundation

/// The elements of an asynchronous sequence as a publisher.
public struct AsyncSequencePublisher<S: AsyncSequence>: Publisher {
    public typealias Output = S.Element
    public typealias Failure = any Error

    private let sequence: S

    public init(_ sequence: S) {
        self.sequence = sequence
    }

    public func receive<Sub: Subscriber>(subscriber: Sub) where Sub.Input == S.Element, Sub.Failure == any Error {
        // Write this function. The subscriber needs a subscription: a class of yours that conforms to `Subscription`.
    }
}

extension AsyncSequence {
    /// The elements of this sequence, for a Combine pipeline.
    public var publisher: AsyncSequencePublisher<Self> {
        AsyncSequencePublisher(self)
    }
}
