import Combine
import KataSupport
import Testing

@Suite(.ownProcess) struct TestSchedulerTests {
    let scheduler = KataSupport.TestScheduler()

    @Test func actionsRunAtTheirTimesInOrder() throws {
        let log = KataSupport.Log<String>(time: scheduler)
        scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(20))) { log.record("b") }
        scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(10))) { [scheduler] in
            log.record("a")
            scheduler.schedule { log.record("right after a") }
        }
        scheduler.advance(by: .milliseconds(15))
        try log.expect([("a", .milliseconds(10)), ("right after a", .milliseconds(10))])
        #expect(scheduler.now.offset == .milliseconds(15))
        #expect(scheduler.waiting == 1)
    }

    @Test func anActionRepeatsUntilItIsCancelled() throws {
        let log = KataSupport.Log<String>(time: scheduler)
        let ticks = scheduler.schedule(after: scheduler.now, interval: .seconds(1)) { log.record("tick") }
        scheduler.advance(by: .seconds(2))
        ticks.cancel()
        scheduler.advance(by: .seconds(2))
        try log.expect([("tick", .zero), ("tick", .seconds(1)), ("tick", .seconds(2))])
    }

    @Test func combinesOperatorsRunOnIt() throws {
        let log = KataSupport.Log<Int>(time: scheduler)
        let subject = PassthroughSubject<Int, Never>()
        let subscription = subject.debounce(for: .milliseconds(300), scheduler: scheduler).sink { log.record($0) }
        for value in 1...3 {
            subject.send(value)
            scheduler.advance(by: .milliseconds(100))
        }
        scheduler.advance(by: .seconds(1))
        try log.expect([(3, .milliseconds(500))])
        subscription.cancel()
    }
}
