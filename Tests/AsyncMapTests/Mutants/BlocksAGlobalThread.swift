// mutant: a thread of the global queue waits for each transform
// fails: AsyncMapTests/aTransformThatRunsBlocksNoThread()
// fails: AsyncMapTests/resultsComeAsTheyFinish()
// may fail: AsyncMapTests/nothingComesAfterAFailure()
// hint: AsyncMapTests/aTransformThatRunsBlocksNoThread() blocks
import Combine
import Foundation

extension Publisher {
    public func asyncMap<T>(_ transform: @escaping (Output) async throws -> T) -> AnyPublisher<T, Error> {
        mapError { $0 as Error }
            .flatMap { value -> AnyPublisher<T, Error> in
                let done = DispatchSemaphore(value: 0)
                var outcome: Result<T, Error>?
                let task = Task {
                    do { outcome = .success(try await transform(value)) } catch { outcome = .failure(error) }
                    done.signal()
                }
                return Future<T, Error> { promise in
                    DispatchQueue.global().async {
                        done.wait()
                        promise(outcome!)
                    }
                }
                .handleEvents(receiveCancel: { task.cancel() })
                .eraseToAnyPublisher()
            }
            .eraseToAnyPublisher()
    }
}
