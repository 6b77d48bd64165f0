/// "And then nothing happens" cannot be waited for: a test that sleeps for a while is slow when all is well and wrong when
/// the machine is busy.
///
/// `settle()` waits until nothing of this process has anything left to run: every task has ended or waits for something
/// that only the test will do, such as opening a gate or moving a clock, and every thread sleeps. So an answer may use queues,
/// operation queues, threads, actors and the main actor as it likes. From the first use of this module on, tasks run one at
/// a time on a queue that counts them (see `TaskQueue`); whether threads sleep is read from the system (see
/// `ProcessActivity`). Real time has no part in it: a thread that the system holds up is waited for, however long that takes.
///
/// Code that runs in a loop forever is not waited for: tasks for `limit` steps, a thread for a second of processor time. Nor is
/// a task or thread that sleeps on a real clock.
public func settle(limit: Int = 20_000) async {
    if let schedules = Schedules.ofThisThread {
        return await withCheckedContinuation { continuation in
            schedules.whenQuiet({ Retained.call($0) }, Retained { continuation.resume() }.context)
        }
    }
    TaskQueue.shared.begin()
    await TaskQueue.shared.quiet(within: limit)
}
