import Combine
import Testing

@Suite struct ValuesTests {
    @Test func `Values are asked for one at a time`() async {
        let upstream = ProbePublisher<Int, Never>()
        upstream.subscription?.onRequest = { _ in
            upstream.send(upstream.events.count)
            if upstream.events.count == 3 { upstream.send(completion: .finished) }
        }
        var values: [Int] = []
        for await value in upstream.values { values.append(value) }
        #expect(values == [1, 2, 3])
        #expect(upstream.events == [.requested(.max(1)), .requested(.max(1)), .requested(.max(1))])
    }

    @Test func `A failure is thrown after the values`() async {
        var values: [Int] = []
        let publisher = [1, 2].publisher.setFailureType(to: Oops.self).append(Fail(error: Oops()))
        await #expect(throws: Oops()) {
            for try await value in publisher.values { values.append(value) }
        }
        #expect(values == [1, 2])
    }

    @Test func `Nothing comes after the end`() async throws {
        var iterator = Fail<Int, Oops>(error: Oops()).values.makeAsyncIterator()
        await #expect(throws: Oops()) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test func `A cancelled task cancels its subscription`() async {
        let upstream = ProbePublisher<Int, Never>()
        let (asked, announce) = AsyncStream<Void>.makeStream()
        upstream.subscription?.onRequest = { _ in announce.yield() }
        let (cancelled, announceCancel) = AsyncStream<Void>.makeStream()
        upstream.subscription?.onCancel = { announceCancel.yield() }
        nonisolated(unsafe) let values = upstream.values
        let task = Task {
            for await _ in values {}
        }
        for await _ in asked { break }
        task.cancel()
        for await _ in cancelled { break }
        await task.value
        #expect(upstream.events == [.requested(.max(1)), .cancelled])
    }

    @Test func `An iterator that is let go of cancels its subscription`() async {
        let upstream = ProbePublisher<Int, Never>()
        upstream.subscription?.onRequest = { _ in upstream.send(1) }
        do {
            for await _ in upstream.values { break }
        }
        upstream.letGo()
        #expect(upstream.events.last == .cancelled)
    }
}
