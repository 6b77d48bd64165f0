// mutant: waits for each transform with a semaphore
// fails: TaskOperatorTests/aTransformThatRunsBlocksNoThread()
// fails: TaskOperatorTests/aLimitIsKeptAndUsed()
// fails: TaskOperatorTests/theLimitHoldsInEveryForm()
// fails: TaskOperatorTests/cancellingCancelsTheTransforms()
// fails: TaskOperatorXCTests/testDroppingTheResultOfEmptySinkCancels
// fails: TaskOperatorTests/aFailureCancelsTheRest()
// fails: TaskOperatorTests/theSubscriberIsCalledByOneThreadAtATime()
// fails: TaskOperatorTests/cancellingWhileAValueComesLeavesNoTransform()
// fails: TaskOperatorTests/withoutALimitTheyRunAtTheSameTime()
// hint: TaskOperatorTests/aTransformThatRunsBlocksNoThread() blocks
import Combine
import Foundation

extension Publisher {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        flatMap(maxPublishers: maxPublishers) { value in
            Just(waitForTask { await transform(value) }).setFailureType(to: Failure.self)
        }
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == any Error {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        flatMap(maxPublishers: maxPublishers) { value in
            resultOfTask { Task { try await transform(value) } }
        }
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == Never {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        setFailureType(to: (any Error).self).task(maxPublishers: maxPublishers, transform)
    }

    public func emptySink() -> AnyCancellable {
        sink { _ in }
    }
}

private func waitForTask<T>(_ work: @escaping () async -> T) -> T {
    let semaphore = DispatchSemaphore(value: 0)
    var result: T?
    Task {
        result = await work()
        semaphore.signal()
    }
    semaphore.wait()
    return result!
}

private func resultOfTask<Success, Failure: Error>(
    _ start: @escaping () -> Task<Success, Failure>
) -> some Publisher<Success, Failure> {
    Deferred {
        let task = start()
        return Future { promise in
            Task { promise(await task.result) }
        }
        .handleEvents(receiveCancel: { task.cancel() })
    }
}
