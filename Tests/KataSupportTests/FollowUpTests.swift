import Foundation
import KataSupport
import Synchronization
import Testing

@Suite(.ownProcess) struct FollowUpTests {
    @Test func theThreadGoesOnAfterWhatWasDone() async throws {
        let done = KataSupport.FollowUp()
        let order = KataSupport.Log<String>()
        let wake = AsyncStream.makeStream(of: Int.self)
        let code = Task {
            for await number in wake.stream {
                order.record("code \(number)")
                done.note()
            }
        }
        try await KataSupport.onThreads(1) { _ in
            for number in 1...100 {
                order.record("thread \(number)")
                wake.continuation.yield(number)
                done.wait(for: number)
            }
        }
        wake.continuation.finish()
        await code.value
        #expect(order.events == (1...100).flatMap { ["thread \($0)", "code \($0)"] })
    }

    /// A look and a sleep that are two steps miss what comes between them. On a machine that does much else, the two meet less
    /// often.
    @Test func aWakeUpThatIsLostShows() async throws {
        let most = 20_000
        let done = KataSupport.FollowUp()
        let isWanted = Atomic<Bool>(false)
        let sleeper = KataSupport.Observed<CheckedContinuation<Void, Never>?>(nil)
        let handled = KataSupport.Observed(0)
        let wake = { @Sendable in
            let sleeping = sleeper.update { continuation in
                defer { continuation = nil }
                return continuation
            }
            sleeping?.resume()
        }
        let code = Task {
            while !Task.isCancelled {
                if isWanted.exchange(false, ordering: .sequentiallyConsistent) {
                    handled.update { $0 += 1 }
                    done.note()
                } else {
                    await withCheckedContinuation { continuation in sleeper.update { $0 = continuation } }
                }
            }
        }
        try? await KataSupport.onThreads(1) { _ in
            for number in 1...most {
                isWanted.store(true, ordering: .sequentiallyConsistent)
                wake()
                done.wait(for: number)
            }
        }
        #expect(handled.value < most)
        code.cancel()
        wake()
    }

    @Test func codeThatDoesMoreThanIsWaitedForGoesOn() {
        let done = KataSupport.FollowUp()
        for _ in 1...100 { done.note() }
        done.wait(for: 100)
    }
}
