// mutant: a cancellation that comes just before the wait for demand is not seen, and the iteration waits for ever
// fails: AsyncSequencePublisherTests/aCancellationMayMeetAnything()
// hint: AsyncSequencePublisherTests/aCancellationMayMeetAnything() raceWait
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
        subscriber.receive(subscription: Inner(sequence, subscriber))
    }

    private final class Inner<Sub: Subscriber>: Subscription, @unchecked Sendable
    where Sub.Input == S.Element, Sub.Failure == any Error {
        private var sequence: S?
        private var subscriber: Sub?
        private let lock = NSLock()
        private var demand = Subscribers.Demand.none
        private var isCancelled = false
        private var task: Task<Void, Never>?
        private var waiting: CheckedContinuation<Void, Never>?

        init(_ sequence: S, _ subscriber: Sub) {
            self.sequence = sequence
            self.subscriber = subscriber
        }

        func request(_ newDemand: Subscribers.Demand) {
            lock.withLock {
                guard !isCancelled else { return }
                demand += newDemand
                waiting?.resume()
                waiting = nil
                guard task == nil else { return }
                task = Task { await self.run() }
            }
        }

        func cancel() {
            lock.withLock {
                isCancelled = true
                task?.cancel()
                sequence = nil
                subscriber = nil
                waiting?.resume()
                waiting = nil
            }
        }

        private func run() async {
            guard let sequence = lock.withLock({ sequence }) else { return }
            var iterator = sequence.makeAsyncIterator()
            do {
                while !Task.isCancelled {
                    let mayFetch = lock.withLock {
                        guard demand > .none else { return false }
                        demand -= 1
                        return true
                    }
                    guard mayFetch else {
                        await withCheckedContinuation { continuation in
                            lock.withLock {
                                if demand > .none {
                                    continuation.resume()
                                } else {
                                    waiting = continuation
                                }
                            }
                        }
                        continue
                    }
                    let next = try await iterator.next()
                    if Task.isCancelled { return }
                    guard let element = next else {
                        lock.withLock({ subscriber })?.receive(completion: .finished)
                        release()
                        return
                    }
                    let more = lock.withLock({ subscriber })?.receive(element) ?? .none
                    lock.withLock { demand += more }
                }
            } catch {
                if Task.isCancelled { return }
                lock.withLock({ subscriber })?.receive(completion: .failure(error))
                release()
            }
        }

        private func release() {
            lock.withLock {
                sequence = nil
                subscriber = nil
            }
        }
    }
}

extension AsyncSequence {
    /// The elements of this sequence, for a Combine pipeline.
    public var publisher: AsyncSequencePublisher<Self> {
        AsyncSequencePublisher(self)
    }
}
