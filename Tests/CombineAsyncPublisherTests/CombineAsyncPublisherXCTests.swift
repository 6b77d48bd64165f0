import Combine
import CombineAsyncPublisher
import KataSupport
import XCTest

final class CombineAsyncPublisherXCTests: XCTestCase {
    let publisher = KataSupport.ProbePublisher<Int, Never>()
    let probe = KataSupport.LeakProbe()

    func testCancellingTheTaskCancelsTheUpstream() async throws {
        let loop = KataSupport.Loop { [publisher] in publisher.eraseToAnyPublisher().sequence }
        try await publisher.subscribed()
        await KataSupport.settle()
        loop.cancel()
        defer { publisher.send(completion: .finished) }  // ends a loop that goes on
        try await publisher.cancelled()
    }

    func testDroppingTheIteratorCancelsTheUpstream() async throws {
        let steps = KataSupport.Steps(of: publisher.eraseToAnyPublisher().sequence)
        let next = Task { try await steps.next() }
        await KataSupport.settle()
        try await publisher.sendWhenAsked(1)
        _ = try await next.value
        steps.drop()
        try await publisher.cancelled()
    }

    func testWhatIsCancelledIsReleased() async throws {
        let loop = KataSupport.Loop { [publisher, probe] in
            publisher.map { [token = probe.token()] value in withExtendedLifetime(token) { value } }
                .eraseToAnyPublisher().sequence
        }
        try await publisher.subscribed()
        await KataSupport.settle()
        loop.cancel()
        defer { publisher.send(completion: .finished) }
        try await probe.released()
    }

    func testWhatIsDroppedIsReleased() async throws {
        func useAndDrop() async throws {
            let steps = KataSupport.Steps(
                of: publisher.map { [token = probe.token()] value in withExtendedLifetime(token) { value } }
                    .eraseToAnyPublisher().sequence)
            let next = Task { try await steps.next() }
            await KataSupport.settle()
            try await publisher.sendWhenAsked(1)
            _ = try await next.value
            steps.drop()
        }
        try await useAndDrop()
        try await probe.released()
    }
}
