// mutant: the code of the article, in the forms that its text describes: a task that nobody can cancel
// fails: TaskOperatorTests/cancellingCancelsTheTransforms()
// fails: TaskOperatorXCTests/testDroppingTheResultOfEmptySinkCancels
// fails: TaskOperatorTests/aFailureCancelsTheRest()
// fails: TaskOperatorTests/cancellingWhileAValueComesLeavesNoTransform()
// fails: TaskOperatorTests/cancellingMayMeetAnything()
// hint: TaskOperatorTests/cancellingCancelsTheTransforms() cancelTransforms
import Combine

extension Publisher {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        flatMap(maxPublishers: maxPublishers) { value in
            Deferred {
                Future<T, Never> { promise in
                    Task {
                        let output = await transform(value)
                        promise(.success(output))
                    }
                }
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
        flatMap(maxPublishers: maxPublishers) { value in
            Deferred {
                Future<T, any Error> { promise in
                    Task {
                        do {
                            let output = try await transform(value)
                            promise(.success(output))
                        } catch {
                            promise(.failure(error))
                        }
                    }
                }
            }
        }
        .eraseToAnyPublisher()
    }
}

extension Publisher where Failure == Never {
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        setFailureType(to: (any Error).self)
            .flatMap(maxPublishers: maxPublishers) { value in
                Deferred {
                    Future<T, any Error> { promise in
                        Task {
                            do {
                                let output = try await transform(value)
                                promise(.success(output))
                            } catch {
                                promise(.failure(error))
                            }
                        }
                    }
                }
            }
            .eraseToAnyPublisher()
    }

    public func emptySink() -> AnyCancellable {
        sink(receiveValue: { _ in })
    }
}
