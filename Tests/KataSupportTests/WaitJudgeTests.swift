import Testing

@testable import KataSupport

/// Looks as the monitor takes them, written down: what follows from them does not depend on the machine.
struct WaitJudgeTests {
    private typealias Look = WaitJudge.Look

    private let asleep: Set<Int> = []

    private func look(
        steps: Int = 1, running: Bool = false, ready: Bool = false, settling: Bool = false, seconds: Double = 0
    ) -> Look {
        let progress = TaskQueue.Progress(
            steps: steps, isRunningJob: running, hasReadyJobs: ready, isSettling: settling)
        return Look(progress: progress, seconds: seconds, awake: asleep)
    }

    /// A look while a test waits.
    private func waiting(_ change: (inout Look) -> Void = { _ in }) -> Look {
        var look = look()
        look.wait = WaitJudge.Wait(id: 7, startSeconds: 0)
        change(&look)
        return look
    }

    /// The first decision on looks that are all alike, and at which of them.
    private func firstDecision(
        _ look: Look, most: Int = 20_000, change: (inout Look, Int) -> Void = { _, _ in }
    ) -> (decision: WaitJudge.Decision, looks: Int)? {
        var judge = WaitJudge()
        for number in 0...most {
            var look = look
            change(&look, number)
            if let decision = judge.judge(look).first { return (decision, number) }
        }
        return nil
    }

    @Test("Two looks with nothing in between end a wait, where the program notes all timers")
    func knownTimers() {
        let found = firstDecision(waiting { $0.nextWake = .max })
        #expect(found?.decision == .endWait(id: 7, .nothingLeftToRun, isEndless: false))
        // The first look of all only sees where the queue stands.
        #expect(found?.looks == 2)
    }

    @Test("A thread that has run between two looks, or wakes soon, keeps the wait", arguments: [true, false])
    func notOver(hasRun: Bool) {
        let found = firstDecision(waiting { $0.nextWake = hasRun ? .max : 1_000_000 }) { look, number in
            if hasRun { look.switches = number }
        }
        #expect(found?.decision == .endWait(id: 7, .nothingLeftToRun, isEndless: false))
        #expect(found?.looks == 30)
    }

    @Test("After a first wait in vain, the next ones get less patience")
    func lessPatience() {
        let found = firstDecision(waiting { $0.history.hasHung = true })
        #expect(found?.decision == .endWait(id: 7, .nothingLeftToRun, isEndless: false))
        #expect(found?.looks == 6)
    }

    @Test("Threads that the test framework wakes now and then do not keep a wait")
    func framework() {
        let found = firstDecision(waiting()) { look, number in
            if number % 9 == 8 { look.awake = [1] }
        }
        #expect(found?.decision == .endWait(id: 7, .nothingLeftToRun, isEndless: false))
    }

    @Test("Code that looks again and again, every second look, is still running")
    func polling() {
        let found = firstDecision(waiting()) { look, number in
            if number % 2 == 0 { look.awake = [1] }
        }
        #expect(found?.decision == .endWait(id: 7, .stillRunning, isEndless: false))
        #expect(found?.looks == 119)
    }

    @Test("Code that runs tasks between any two looks is still running")
    func pollingOften() {
        let found = firstDecision(waiting()) { look, number in look.progress.steps = number }
        #expect(found?.decision == .endWait(id: 7, .stillRunning, isEndless: false))
        #expect(found?.looks == 119)
    }

    @Test("A busy machine ends no wait: threads that are ready and get no processor are awake")
    func busyMachine() {
        let found = firstDecision(waiting { $0.awake = [1] }, most: 11_000)
        #expect(found == nil)
    }

    @Test("What uses processor time during a wait is an endless loop, however it is looked at")
    func computing() {
        let found = firstDecision(waiting { $0.awake = [1] }) { look, number in look.seconds = Double(number) / 100 }
        #expect(found?.decision == .endWait(id: 7, .stillRunning, isEndless: true))
        #expect(found?.looks == 60)
    }

    @Test("Another wait begins with looks of its own")
    func anotherWait() {
        let found = firstDecision(waiting()) { look, number in
            look.awake = number % 2 == 0 ? [1] : []
            if number >= 100 { look.wait = WaitJudge.Wait(id: 8, startSeconds: 0) }
        }
        #expect(found?.decision == .endWait(id: 8, .stillRunning, isEndless: false))
        #expect(found?.looks == 219)
    }

    @Test("A job that sleeps is given up, so that others can run, and later ones sooner")
    func blockedJob() {
        let first = firstDecision(look(running: true, ready: true))
        #expect(first?.decision == .abandonJob(steps: 1, isComputing: false))
        #expect(first?.looks == 20)
        var again = look(running: true, ready: true)
        again.history.blockedThreads = 1
        #expect(firstDecision(again)?.looks == 2)
    }

    @Test("A job that computes is given up for its processor time, and a new one begins at zero")
    func computingJob() {
        var job = look(running: true)
        job.awake = [1]
        let found = firstDecision(job) { look, number in look.seconds = Double(number) / 50 }
        #expect(found?.decision == .abandonJob(steps: 1, isComputing: true))
        let many = firstDecision(job, most: 1_000) { look, number in
            look.seconds = Double(number) / 50
            look.progress.steps = number / 20
        }
        #expect(many == nil)
    }

    @Test("Where nothing waits with a limit and all sleep, the process is given up")
    func deadlock() {
        let found = firstDecision(look())
        #expect(found?.decision == .deadlock(isComputing: false))
        #expect(found?.looks == 100)
    }

    @Test("A test that settles is not given up, although a thread of another test computes without end")
    func settling() {
        var look = look(settling: true)
        look.awake = [3]
        look.ignored = [3]
        #expect(firstDecision(look) { $0.seconds = Double($1) / 100 } == nil)
        look.progress.isSettling = false
        let found = firstDecision(look) { $0.seconds = Double($1) / 100 }
        #expect(found?.decision == .deadlock(isComputing: true))
    }

    @Test("Where what computed without end sleeps, that is said")
    func paused() {
        var look = look()
        look.history.isEndless = true
        #expect(firstDecision(look)?.decision == .hasPaused)
    }

    @Test("Threads are looked at only where they can matter")
    func questions() {
        var judge = WaitJudge()
        let idle = look().progress
        let ready = look(ready: true).progress
        _ = judge.judge(look())
        #expect(judge.asksForThreads(idle, hasWaits: false, isEndless: false))
        #expect(!judge.asksForThreads(ready, hasWaits: true, isEndless: false))
        #expect(judge.asksForThreads(ready, hasWaits: true, isEndless: true))
        #expect(!judge.asksForThreads(look(steps: 2).progress, hasWaits: false, isEndless: false))
        #expect(judge.asksForThreads(look(steps: 2).progress, hasWaits: true, isEndless: false))
    }
}
