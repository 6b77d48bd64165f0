import Dispatch
import Foundation

/// Code that a test calls from a task's thread may behave otherwise on a thread of its own.
///
/// Runs the body on so many threads at once, and returns when all of them have ended. It is given the number of the thread, from
/// 0. In which order they run is up to the machine: for that, there is `explore`.
public func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async throws {
    let ended = Observed(0)
    let start = DispatchSemaphore(value: 0)
    for number in 0..<count {
        Thread.detachNewThread {
            start.wait()
            body(number)
            ended.update { $0 += 1 }
        }
    }
    for _ in 0..<count { start.signal() }
    try await ended.until(showing: { "\($0)/\(count)" }) { $0 == count }
}
