import KataSupport
import Testing

@Suite(.ownProcess) struct StepsTests {
    @Test func takeOneValueAtATime() async throws {
        let steps = KataSupport.Steps(
            of: AsyncStream<Int> { continuation in
                (1...2).forEach { continuation.yield($0) }
                continuation.finish()
            })
        #expect(try await steps.next() == 1)
        #expect(try await steps.next() == 2)
        #expect(try await steps.next() == nil)
    }

    @Test func letGoOfTheIterator() {
        let log = KataSupport.Log<String>()
        let steps = KataSupport.Steps(
            of: AsyncStream<Int> { continuation in
                continuation.onTermination = { _ in log.record("terminated") }
            })
        #expect(log.events.isEmpty)
        steps.drop()
        #expect(log.events == ["terminated"])
    }
}
