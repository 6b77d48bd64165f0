import Foundation
import Testing

@testable import Grading

@Suite("Time without a processor is not counted against the learner") struct HeldUpTimeTests {
    @Test("The time that the threads waited counts, up to four fifths of the whole time")
    func waiting() {
        #expect(HeldUpTime.counted(of: .seconds(10), waited: .seconds(3), stolen: .zero) == .seconds(3))
        #expect(HeldUpTime.counted(of: .seconds(10), waited: .seconds(900), stolen: .zero) == .seconds(8))
    }

    @Test("The time that the host took counts in full, and in the rest the time that the threads waited")
    func stolen() {
        #expect(HeldUpTime.counted(of: .seconds(10), waited: .zero, stolen: .seconds(5)) == .seconds(5))
        #expect(HeldUpTime.counted(of: .seconds(10), waited: .seconds(1), stolen: .seconds(5)) == .seconds(6))
        #expect(HeldUpTime.counted(of: .seconds(10), waited: .seconds(900), stolen: .seconds(5)) == .seconds(9))
    }

    @Test("The stolen share is a share of the time in which something was ready to run, without idle time")
    func share() throws {
        let before = try #require(
            StolenTime(statistics: "cpu  100 0 50 9000 10 0 5 20 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n"))
        #expect(before == StolenTime(stolen: 20, wanted: 175))
        let after = try #require(StolenTime(statistics: "cpu  110 0 55 9900 20 0 5 65 0 0\n"))
        #expect(after.time(of: .milliseconds(100), since: before) == .milliseconds(75))
        // The kernel has counted no more than this.
        let ticksInSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
        #expect(after.time(of: .seconds(100), since: before) == .seconds(45) / ticksInSecond)
        #expect(before.time(of: .seconds(1), since: before) == .zero)
    }

    @Test("A limit is reached also if all of the time is stolen")
    func allStolen() {
        let after = StolenTime(stolen: 1000, wanted: 1000)
        #expect(after.time(of: .seconds(1), since: .none) == .milliseconds(900))
    }

    @Test(
        "If the kernel reports nothing about the host, no time counts as stolen",
        arguments: ["", "cpu  1 2 3 4\n", "intr 1 2 3\n"])
    func nothingSaid(statistics: String) {
        #expect(StolenTime(statistics: statistics) == nil)
    }
}
