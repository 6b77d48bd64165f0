// mutant: the code of the migration guides: a task that nobody can cancel, started before anybody asks
// fails: AsyncMapTests/cancellingCancelsTheTransforms()
// fails: AsyncMapTests/aFailureCancelsTheRest()
// fails: AsyncMapTests/cancellingMayMeetAnything()
// fails: AsyncMapTests/aFailureMayMeetAnything()
// hint: AsyncMapTests/cancellingCancelsTheTransforms() cancelTransforms
import Combine

extension Publisher {
    public func asyncMap<T>(_ transform: @escaping (Output) async throws -> T) -> AnyPublisher<T, Error> {
        mapError { $0 as Error }
            .flatMap { value in
                Future { promise in
                    Task {
                        do {
                            let result = try await transform(value)
                            promise(.success(result))
                        } catch {
                            promise(.failure(error))
                        }
                    }
                }
            }
            .eraseToAnyPublisher()
    }
}
