import Combine
import Foundation
import Testing

@Suite struct TimerPublisherTests {
    @Test func `A connected timer sends dates to all who asked, on its run loop`() {
        let finished = DispatchSemaphore(value: 0)
        let one = Recorder<Date, Never>(requesting: .max(1))
        let all = Recorder<Date, Never>()
        Thread.detachNewThread {
            let timer = Timer.publish(every: 0.001, on: .current, in: .default)
            timer.watched().subscribe(one)
            timer.watched().subscribe(all)
            let connection = timer.connect()
            all.onValue = { _ in
                if all.values.count == 3 {
                    connection.cancel()
                    finished.signal()
                }
                return .none
            }
            _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 600))
        }
        #expect(finished.wait(timeout: .now() + 590) == .success)
        #expect(one.values.count == 1)
        #expect(all.values.count == 3)
        all.letGo()
        one.letGo()
    }

    @Test func `A timer keeps what it was made with`() {
        let timer = Timer.TimerPublisher(interval: 2, tolerance: 0.5, runLoop: .main, mode: .common)
        #expect(timer.interval == 2)
        #expect(timer.tolerance == 0.5)
        #expect(timer.runLoop === RunLoop.main)
        #expect(timer.mode == .common)
    }
}
