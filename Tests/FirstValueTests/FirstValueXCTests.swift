import Combine
import FirstValue
import KataSupport
import XCTest

final class FirstValueXCTests: XCTestCase {
    typealias Failure = KataSupport.Failure

    let publisher = KataSupport.ProbePublisher<Int, Failure>()

    func testFailureIsThrown() async throws {
        let value = Task { [publisher] in try await publisher.firstValueThrowing }
        await KataSupport.settle()
        publisher.send(completion: .failure(Failure("offline")))
        try await KataSupport.expect(KataSupport.result(of: value), throws: Failure("offline"))
    }

    func testUpstreamIsCancelledAfterTheThrowingValue() async throws {
        Task { [publisher] in try await publisher.firstValueThrowing }
        await KataSupport.settle()
        publisher.send(1)
        try await publisher.cancelled()
    }

    func testFinishingWithoutAValueThrows() async throws {
        let value = Task { [publisher] in try await publisher.firstValueThrowing }
        await KataSupport.settle()
        publisher.send(completion: .finished)
        try await expectNoValue(KataSupport.result(of: value))
    }

    func testCancellingTheTaskCancelsTheUpstream() async throws {
        let value = Task { [publisher] in try await publisher.firstValueThrowing }
        await KataSupport.settle()
        value.cancel()
        defer { publisher.send(1) }  // ends a wait that goes on in a loop
        try await publisher.cancelled()
    }
}

/// The case itself is matched: the answer declares the error, and may say that all of them are equal.
func expectNoValue(_ result: Result<Int, any Error>) throws {
    try KataSupport.expect(result, throws: FirstValueError.finishedWithoutValue) {
        if case FirstValueError.finishedWithoutValue = $0 { true } else { false }
    }
}
