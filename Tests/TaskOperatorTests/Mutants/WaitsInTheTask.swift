// mutant: asks for everything, and lets the tasks wait for their turn
// fails: TaskOperatorTests/theUpstreamIsAskedForAsManyValuesAsMayRun()
// fails: TaskOperatorTests/aTransformThatEndsAsksForOneMoreValue()
// fails: TaskOperatorXCTests/testAThrownErrorIsTheFailure
// fails: TaskOperatorXCTests/testCancellingCancelsTheUpstream
// fails: TaskOperatorTests/eachSubscriptionRunsItsOwnTransforms()
// hint: TaskOperatorTests/theUpstreamIsAskedForAsManyValuesAsMayRun() asked.more
import Combine
import Foundation

extension Publisher {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        let turns = Turns(maxPublishers.max ?? .max)
        return flatMap { value in
            Deferred {
                var task: Task<Void, Never>?
                return Future<T, Never> { promise in
                    task = Task {
                        await turns.begin()
                        promise(.success(await transform(value)))
                        await turns.end()
                    }
                }
                .handleEvents(receiveCancel: { task?.cancel() })
            }
            .setFailureType(to: Failure.self)
        }
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == any Error {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        let turns = Turns(maxPublishers.max ?? .max)
        return flatMap { value in
            Deferred {
                var task: Task<Void, Never>?
                return Future<T, any Error> { promise in
                    task = Task {
                        await turns.begin()
                        do { promise(.success(try await transform(value))) } catch { promise(.failure(error)) }
                        await turns.end()
                    }
                }
                .handleEvents(receiveCancel: { task?.cancel() })
            }
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
        sink(receiveValue: { _ in })
    }
}

actor Turns {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ free: Int) {
        self.free = free
    }

    func begin() async {
        if free > 0 { free -= 1 } else { await withCheckedContinuation { waiting.append($0) } }
    }

    func end() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
