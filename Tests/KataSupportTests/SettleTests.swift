import Foundation
import KataSupport
import Synchronization
import Testing

/// `settle()` waits for a whole process, so its tests need a process of their own.
@Suite(.ownProcess) struct SettleTests {
    @Test func waitsForAllThatIsReadyToRun() async throws {
        let done = KataSupport.Log<Int>()
        for number in 0..<20 {
            Task.detached {
                for _ in 0..<50 { await Task.yield() }
                done.record(number)
            }
        }
        await settle()
        #expect(done.events.count == 20)
    }

    @Test func waitsForAThreadThatIsHeldUp() async throws {
        let done = KataSupport.Log<String>()
        Task.detached {
            let end = Date(timeIntervalSinceNow: 0.05)
            while Date() < end {}
            done.record("done")
        }
        await settle()
        #expect(done.events == ["done"])
    }

    @Test func waitsForHopsThroughDispatch() async {
        let done = KataSupport.Log<String>()
        Task {
            for _ in 0..<5 {
                await withCheckedContinuation { continuation in
                    DispatchQueue.global().async { continuation.resume() }
                }
            }
            done.record("done")
        }
        await settle()
        #expect(done.events == ["done"])
    }

    @Test func waitsForThreadsThatStartOneAnother() async {
        for _ in 0..<20 {
            let chain = ThreadChain(300)
            chain.startNext()
            await settle()
            #expect(chain.left.load(ordering: .acquiring) == 0)
        }
    }

    /// Threads that each start the next one, and end.
    private final class ThreadChain: Sendable {
        let left: Atomic<Int>

        init(_ count: Int) { left = Atomic(count) }

        func startNext() {
            Thread.detachNewThread { [self] in
                if left.subtract(1, ordering: .acquiringAndReleasing).newValue > 0 { startNext() }
            }
        }
    }

    /// The ways in which an answer may deliver a value.
    enum Delivery: CaseIterable {
        case serialQueue, concurrentQueue, globalQueue, mainQueue, operationQueue, mainOperationQueue, thread, mainActor
        case twoQueues, newQueueEachTime

        func deliver(_ action: @escaping @Sendable () -> Void) {
            switch self {
            case .serialQueue: Self.serial.async(execute: action)
            case .concurrentQueue: Self.concurrent.async(execute: action)
            case .globalQueue: DispatchQueue.global().async(execute: action)
            case .mainQueue: DispatchQueue.main.async(execute: action)
            case .operationQueue: Self.operations.addOperation(action)
            case .mainOperationQueue: OperationQueue.main.addOperation(action)
            case .thread: Thread.detachNewThread(action)
            case .mainActor: Task { @MainActor in action() }
            case .twoQueues: Self.serial.async { DispatchQueue.main.async { Self.operations.addOperation(action) } }
            case .newQueueEachTime: DispatchQueue(label: "new").async(execute: action)
            }
        }

        private static let serial = DispatchQueue(label: "serial")
        private static let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)
        private static let operations = OperationQueue()
    }

    @Test(arguments: Delivery.allCases)
    func waitsForADelivery(_ delivery: Delivery) async {
        let delivered = KataSupport.Log<Int>()
        for number in 0..<100 {
            Task { delivery.deliver { delivered.record(number) } }
            await settle()
            #expect(delivered.events.last == number)
        }
    }

    @Test func waitsForATaskThatADeliveryStarts() async {
        let delivered = KataSupport.Log<Int>()
        let queue = DispatchQueue(label: "serial")
        for number in 0..<100 {
            queue.async { Task { delivered.record(number) } }
            await settle()
            #expect(delivered.events.last == number)
        }
    }

    @Test func doesNotWaitForAThreadThatComputesWithoutEnd() async {
        let isOver = Atomic(false)
        Thread.detachNewThread { while !isOver.load(ordering: .relaxed) {} }
        await settle()
        let delivered = KataSupport.Log<Int>()
        Task { delivered.record(1) }
        await settle()
        #expect(delivered.events == [1])
        isOver.store(true, ordering: .relaxed)
    }

    @Test func doesNotWaitForWhatWaitsForTheTest() async {
        let gate = KataSupport.Gate()
        let task = Task { try await gate.pass() }
        await settle()
        #expect(gate.waiting == 1)
        gate.open()
        _ = await task.result
    }

    @Test func endsAlthoughSomethingTurnsForEver() async {
        let task = Task.detached { while !Task.isCancelled { await Task.yield() } }
        await settle(limit: 500)
        task.cancel()
        await task.value
    }

    @Test func tasksTakeTurnsInTheOrderInWhichTheyBecameReady() async {
        let order = KataSupport.Log<Int>()
        await settle()
        for number in 0..<50 { Task.detached { order.record(number) } }
        await settle()
        #expect(order.events == Array(0..<50))
    }
}
