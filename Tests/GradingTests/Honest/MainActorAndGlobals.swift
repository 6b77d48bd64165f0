// Work on the main actor, an actor for the whole program, task-local values, priorities, groups, streams, clocks.
import Foundation
import Dispatch
@globalActor actor Ledger { static let shared = Ledger(); var lines: [String] = []; func note(_ s: String) { lines.append(s) } }
@Ledger var noted = 0
@MainActor var shown = 0
enum Trace { @TaskLocal static var name = "none" }
@MainActor func show(_ n: Int) { MainActor.assertIsolated(); shown += n }
nonisolated(unsafe) var counter = 0
public actor Tally {
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) { total += number; Task(priority: .high) { @MainActor in show(number) }; Task.detached(priority: .background) { await Ledger.shared.note("\(number)") } }
    public func reset() async -> Int {
        let kept = total; total = 0
        await show(1); await MainActor.run { MainActor.assumeIsolated { shown += 1 } }; _ = await MainActor.run { shown }
        await Trace.$name.withValue("reset") { await Task.yield() }
        async let one = Task { 1 }.value; _ = await one
        await withTaskGroup(of: Int.self) { group in for i in 0..<4 { group.addTask(priority: .low) { i } }; for await _ in group {} ; group.cancelAll() }
        try? await withThrowingTaskGroup(of: Void.self) { group in group.addTask { try await Task.sleep(for: .milliseconds(1)) }; try await group.waitForAll() }
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(2))
        continuation.onTermination = { _ in }; continuation.yield(1); continuation.finish()
        for await x in stream.map({ $0 + 1 }).filter({ $0 > 0 }).prefix(1) { _ = x }
        let t = Task { try await Task.sleep(nanoseconds: 1_000_000_000_000) }; t.cancel(); _ = await t.result
        _ = await withTaskCancellationHandler { 1 } onCancel: { }
        _ = try? await ContinuousClock().measure { try await SuspendingClock().sleep(until: .now + .milliseconds(1)) }
        await withCheckedContinuation { c in DispatchQueue.main.async { c.resume() } }
        await withUnsafeContinuation { c in DispatchQueue.global().asyncAfter(deadline: .now() + 0.001) { c.resume() } }
        let p: Int? = try? await withUnsafeThrowingContinuation { c in Thread.detachNewThread { c.resume(returning: 4) } }; _ = p
        let o = OperationQueue(); o.maxConcurrentOperationCount = 1; o.addOperation { counter += 1 }; o.waitUntilAllOperationsAreFinished()
        return kept
    }
}
/*FIRST*/
