import Foundation

/// A race shows only where two threads are truly in the same place, and tasks of one process take turns here.
///
/// Runs the body on so many threads at once, let go together, and returns when all of them have ended. It is given the number
/// of the thread, from 0.
public func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async throws {
    let ready = Locked(0)
    let start = DispatchSemaphore(value: 0)
    let ended = Observed(0)
    for number in 0..<count {
        Thread.detachNewThread {
            let isLast = ready.withLock { ready in
                ready += 1
                return ready == count
            }
            if isLast { for _ in 0..<count { start.signal() } }
            start.wait()
            body(number)
            ended.update { $0 += 1 }
        }
    }
    try await ended.until { $0 == count }
}
