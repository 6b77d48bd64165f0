/// "And then nothing happens" cannot be waited for: a test that sleeps for a while is slow when all is well and wrong when
/// the machine is busy.
///
/// `settle()` waits until no task of this process has anything left to run: every task has ended, or waits for something
/// that only the test will do, such as opening a gate or moving a clock. It knows, because from the first use of this module
/// on all tasks run one at a time on a queue that counts them (see `TaskQueue`), in the order in which they became ready.
/// Real time has no part in it: a thread that the system holds up is waited for, however long that takes.
///
/// Two things cannot be counted: the moment that `Task.yield()` spends on the platform's own pool, and blocks that were put
/// on a Dispatch queue. So quiet counts only when it has lasted for several hops through each of those queues. Code that turns
/// in a loop forever ends it after `limit` steps.
///
/// The main actor is not looked at.
public func settle(limit: Int = 20_000) async {
    await TaskQueue.shared.quiet(within: limit * Company.steps)
}
