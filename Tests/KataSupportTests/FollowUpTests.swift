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

    /// A look and a sleep that are two steps miss what comes between them.
    @Test func aWakeUpThatIsLostShows() async throws {
        let done = KataSupport.FollowUp()
        let isWanted = Atomic<Bool>(false)
        let sleeper = Locked<CheckedContinuation<Void, Never>?>(nil)
        let handled = KataSupport.Observed(0)
        let code = Task {
            while !Task.isCancelled {
                if isWanted.exchange(false, ordering: .sequentiallyConsistent) {
                    handled.update { $0 += 1 }
                    done.note()
                } else {
                    await withCheckedContinuation { continuation in sleeper.value = continuation }
                }
            }
        }
        try? await KataSupport.onThreads(1) { _ in
            for number in 1...500 {
                isWanted.store(true, ordering: .sequentiallyConsistent)
                sleeper.take()?.resume()
                done.wait(for: number)
            }
        }
        #expect(handled.value < 500)
        code.cancel()
        sleeper.take()?.resume()
    }

    @Test func codeThatDoesMoreThanIsWaitedForGoesOn() {
        let done = KataSupport.FollowUp()
        for _ in 1...100 { done.note() }
        done.wait(for: 100)
    }
}

private final class Locked<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}

extension Locked {
    func take<Wrapped: Sendable>() -> Wrapped? where Value == Wrapped? {
        state.withLock { value in
            defer { value = nil }
            return value
        }
    }
}
