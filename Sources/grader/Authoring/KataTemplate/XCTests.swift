import KataName
import KataSupport
import XCTest

final class KataNameXCTests: XCTestCase {
    /// Time: a clock that the test moves, and a history of what happened when. A failure is drawn, the input first.
    func testPausesBetweenAttempts() async throws {
        let clock = KataSupport.TestClock()
        let history = KataSupport.Log<String>(time: clock)
        history.input("retry")
        let task = Task {
            _ = await retry(attempts: 3, pause: .seconds(2), clock: clock) {
                history.record("attempt")
                return nil
            }
        }
        await clock.advance(by: .seconds(10))
        task.cancel()
        try history.expect([("attempt", .zero), ("attempt", .seconds(2)), ("attempt", .seconds(4))])
    }
}
