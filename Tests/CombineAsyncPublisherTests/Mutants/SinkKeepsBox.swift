// mutant: the closures of the sink hold the box strongly, and the box holds the sink, so releasing the iterator cancels nothing
// fails: CombineAsyncPublisherXCTests/testDroppingTheIteratorCancelsTheUpstream
// fails: CombineAsyncPublisherXCTests/testWhatIsDroppedIsReleased
// hint: CombineAsyncPublisherXCTests/testDroppingTheIteratorCancelsTheUpstream dropIterator.cycle
import Combine
import Foundation
import Synchronization

/// The values of a publisher as an asynchronous sequence.
public struct CombineAsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    public typealias Element = P.Output
    public typealias Policy = AsyncStream<P.Output>.Continuation.BufferingPolicy

    private let upstream: P
    private let bufferingPolicy: Policy

    public init(
        _ upstream: P, bufferingPolicy: AsyncStream<P.Output>.Continuation.BufferingPolicy = .unbounded
    ) {
        self.upstream = upstream
        self.bufferingPolicy = bufferingPolicy
    }

    public func makeAsyncIterator() -> Iterator {
        let box = Box(policy: bufferingPolicy)
        box.keep(
            upstream.sink(
                receiveCompletion: { _ in box.end() },
                receiveValue: { value in box.put(value) }
            )
        )
        return Iterator(box: box)
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let box: Box

        public mutating func next() async -> P.Output? {
            while !Task.isCancelled {
                switch box.take() {
                case .value(let value): return value
                case .end: return nil
                case .nothingYet: await box.waitForBell()
                }
            }
            box.stop()
            return nil
        }
    }

    /// The values that were not read yet, and a bell that rings when there is something new.
    /// The iterator owns the box, and the box owns the subscription.
    fileprivate final class Box: @unchecked Sendable {
        enum Taken {
            case value(P.Output)
            case end
            case nothingYet
        }

        struct State {
            /// For a reader who was waiting when the value came. The policy is only about the others.
            var handed: [P.Output] = []
            var values: [P.Output] = []
            var isReaderWaiting = false
            var hasEnded = false
            var subscription: AnyCancellable?
        }

        private let policy: Policy
        private let state = Mutex(State())
        private let bells: AsyncStream<Void>
        private let bell: AsyncStream<Void>.Continuation

        init(policy: Policy) {
            self.policy = policy
            (bells, bell) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        }

        func keep(_ subscription: AnyCancellable) {
            state.withLock { state in
                if !state.hasEnded { state.subscription = subscription }
            }
        }

        func put(_ value: P.Output) {
            let (isForReader, _) = state.withLock { state -> (Bool, P.Output?) in
                guard !state.hasEnded else { return (false, nil) }
                if state.isReaderWaiting {
                    state.isReaderWaiting = false
                    state.handed.append(value)
                    return (true, nil)
                }
                var dropped: P.Output?
                switch policy {
                case .bufferingOldest(let limit):
                    if state.values.count < limit { state.values.append(value) }
                case .bufferingNewest(let limit):
                    guard limit > 0 else { return (false, nil) }
                    if state.values.count == limit { dropped = state.values.removeFirst() }
                    state.values.append(value)
                default:
                    state.values.append(value)
                }
                return (false, dropped)
            }
            if isForReader { bell.yield() }
        }

        func end() {
            let subscription = state.withLock { state in
                let subscription = state.subscription
                state.subscription = nil
                state.hasEnded = true
                return subscription
            }
            bell.finish()
            withExtendedLifetime(subscription) {}
        }

        func stop() {
            let old = state.withLock { state in
                let old = state
                state = State()
                state.hasEnded = true
                return old
            }
            old.subscription?.cancel()
            bell.finish()
        }

        func take() -> Taken {
            state.withLock { state in
                if !state.handed.isEmpty { return .value(state.handed.removeFirst()) }
                if !state.values.isEmpty { return .value(state.values.removeFirst()) }
                if state.hasEnded { return .end }
                state.isReaderWaiting = true
                return .nothingYet
            }
        }

        func waitForBell() async {
            var bells = self.bells.makeAsyncIterator()
            await bells.next()
        }
    }
}

extension Publisher where Failure == Never {
    /// The values of this publisher, for `for await`.
    public var sequence: CombineAsyncPublisher<Self> {
        CombineAsyncPublisher(self)
    }
}
