import Combine
import FirstValue
import KataSupport
import XCTest

final class FirstValueXCTests: XCTestCase {
    typealias Failure = KataSupport.Failure

    func testFailureIsThrown() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let value = Task { try await publisher.firstValueThrowing }
        try await publisher.asked(for: .max(1))
        publisher.send(completion: .failure(Failure("offline")))
        let result = try await KataSupport.result { try await value.value }
        try KataSupport.expect(result, throws: Failure("offline"))
    }

    func testUpstreamIsCancelledAfterTheThrowingValue() async throws {
        let cancelled = XCTestExpectation(description: "The upstream is cancelled.")
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        Task { try await publisher.handleEvents(receiveCancel: { cancelled.fulfill() }).firstValueThrowing }
        try await publisher.asked(for: .max(1))
        publisher.send(1)
        try await fulfilled(cancelled)
        try await publisher.cancelled()
    }

    func testFinishingWithoutAValueThrows() async throws {
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let value = Task { try await publisher.firstValueThrowing }
        try await publisher.subscribed()
        publisher.send(completion: .finished)
        let result = try await KataSupport.result { try await value.value }
        try KataSupport.expect(result, throws: FirstValueError.finishedWithoutValue)
    }

    func testCancellingTheTaskCancelsTheUpstream() async throws {
        let cancelled = XCTestExpectation(description: "The upstream is cancelled.")
        let publisher = KataSupport.ProbePublisher<Int, Failure>()
        let value = Task { try await publisher.handleEvents(receiveCancel: { cancelled.fulfill() }).firstValueThrowing }
        try await publisher.asked(for: .max(1))
        value.cancel()
        try await fulfilled(cancelled)
        try await publisher.cancelled()
    }

    /// Waits for the expectation, but for no longer than a suite may.
    private func fulfilled(_ expectation: XCTestExpectation) async throws {
        _ = try await KataSupport.withDeadline(for: .cancellation) {
            await XCTWaiter.fulfillment(of: [expectation], timeout: 60)
        }
    }
}
