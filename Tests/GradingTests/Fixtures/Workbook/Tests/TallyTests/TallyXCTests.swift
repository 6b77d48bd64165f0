import KataSupport
import Tally
import XCTest

final class TallyXCTests: XCTestCase {
    func testManyAtOnce() async throws {
        let tally = Tally()
        await withTaskGroup(of: Void.self) { group in
            for number in 1...100 { group.addTask { await tally.add(number) } }
        }
        let total = await tally.total
        XCTAssertEqual(total, 5050)
    }

    func testReset() async throws {
        let tally = Tally()
        await tally.add(7)
        let total = await tally.reset()
        let rest = await tally.total
        XCTAssertEqual(total, 7)
        XCTAssertEqual(rest, 0)
    }
}
