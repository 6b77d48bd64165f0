import Combine
import Foundation

extension Publisher {
    /// Transforms each value with an async function, at most this many values at the same time.
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async -> T
    ) -> AnyPublisher<T, Failure> {
        // Write this function.
        Empty().eraseToAnyPublisher()
    }
}

extension Publisher where Failure == any Error {
    /// Transforms each value with an async function that may throw, at most this many values at the same time.
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        // Write this function.
        Empty().eraseToAnyPublisher()
    }
}

extension Publisher where Failure == Never {
    /// Transforms each value with an async function that may throw, at most this many values at the same time.
    public func task<T>(
        maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) async throws -> T
    ) -> AnyPublisher<T, any Error> {
        // Write this function.
        Empty().eraseToAnyPublisher()
    }

    /// Keeps a pipeline running when nobody needs its values.
    public func emptySink() -> AnyCancellable {
        // Write this function.
        AnyCancellable {}
    }
}
