// mutant: next() blocks its thread until a value has come
// fails: CombineAsyncPublisherTests/waitingBlocksNoThread()
// hint: CombineAsyncPublisherTests/waitingBlocksNoThread() blocks
import Combine
import Foundation

public struct CombineAsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
    public typealias Element = P.Output

    private let upstream: P
    private let bufferingPolicy: AsyncStream<P.Output>.Continuation.BufferingPolicy

    public init(
        _ upstream: P, bufferingPolicy: AsyncStream<P.Output>.Continuation.BufferingPolicy = .unbounded
    ) {
        self.upstream = upstream
        self.bufferingPolicy = bufferingPolicy
    }

    public func makeAsyncIterator() -> Iterator {
        let shelf = Shelf<P.Output>(bufferingPolicy)
        let subscription = upstream.sink(
            receiveCompletion: { _ in shelf.close() }, receiveValue: { shelf.put($0) })
        return Iterator(shelf: shelf, subscription: subscription)
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let shelf: Shelf<P.Output>
        fileprivate let subscription: AnyCancellable

        public mutating func next() async -> P.Output? {
            await withTaskCancellationHandler {
                shelf.take()
            } onCancel: { [shelf, subscription] in
                subscription.cancel()
                shelf.close()
            }
        }
    }
}

private final class Shelf<Value>: @unchecked Sendable {
    private let condition = NSCondition()
    private let policy: AsyncStream<Value>.Continuation.BufferingPolicy
    private var values: [Value] = []
    private var isClosed = false

    init(_ policy: AsyncStream<Value>.Continuation.BufferingPolicy) { self.policy = policy }

    func put(_ value: Value) {
        condition.lock()
        defer { condition.unlock() }
        switch policy {
        case .bufferingOldest(let size): if values.count < size { values.append(value) }
        case .bufferingNewest(let size): values = Array((values + [value]).suffix(size))
        default: values.append(value)
        }
        condition.signal()
    }

    func close() {
        condition.lock()
        defer { condition.unlock() }
        isClosed = true
        condition.broadcast()
    }

    func take() -> Value? {
        condition.lock()
        defer { condition.unlock() }
        while values.isEmpty && !isClosed { condition.wait() }
        return values.isEmpty ? nil : values.removeFirst()
    }
}

extension Publisher where Failure == Never {
    public var sequence: CombineAsyncPublisher<Self> {
        CombineAsyncPublisher(self)
    }
}
