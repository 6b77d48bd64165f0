import KataSupport
import Testing

@Suite(.ownProcess) struct LoopTests {
    @Test func recordsTheValuesAndTheEnd() async throws {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let loop = KataSupport.Loop { stream }
        continuation.yield(1)
        try await loop.received(1)
        #expect(!loop.isEnded)
        continuation.finish()
        try await loop.ended()
        #expect(loop.values == [1])
    }

    @Test func asksForNothingWhileAValueIsHandled() async throws {
        let gate = KataSupport.Gate()
        let (stream, continuation) = AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let loop = KataSupport.Loop(handling: { _ in await gate.passEvenIfCancelled() }, over: { stream })
        continuation.yield(1)
        try await gate.untilWaiting(atLeast: 1)
        continuation.yield(2)
        continuation.yield(3)
        gate.open()
        try await loop.received(2)
        #expect(loop.values == [1, 3])
    }

    @Test func keepsNobodyWaitingWhereItHasEnded() async throws {
        let loop = KataSupport.Loop { AsyncStream<Int> { $0.finish() } }
        try await loop.received(5)
        #expect(loop.values.isEmpty)
    }

    @Test func endsTheTaskOfTheLoop() async throws {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let loop = KataSupport.Loop { stream }
        await KataSupport.settle()
        loop.cancel()
        try await loop.ended()
        withExtendedLifetime(continuation) {}
    }
}
