import Testing

@testable import Grading

@Suite("Time without a processor is not counted against the learner") struct HeldUpTimeTests {
    @Test("What the threads waited counts, up to four fifths of the time")
    func waiting() {
        #expect(HeldUpTime.counted(of: .seconds(10), waited: .seconds(3), stolenShare: 0) == .seconds(3))
        #expect(HeldUpTime.counted(of: .seconds(10), waited: .seconds(900), stolenShare: 0) == .seconds(8))
    }

    @Test("What the host took counts whole, and of the rest what the threads waited")
    func stolen() {
        #expect(HeldUpTime.counted(of: .seconds(10), waited: .zero, stolenShare: 0.5) == .seconds(5))
        #expect(HeldUpTime.counted(of: .seconds(10), waited: .seconds(1), stolenShare: 0.5) == .seconds(6))
        #expect(HeldUpTime.counted(of: .seconds(10), waited: .seconds(900), stolenShare: 0.5) == .seconds(9))
    }

    @Test("The share that was stolen is one of the time in which something was ready to run, idle time left out")
    func share() throws {
        let before = try #require(
            StolenTime(statistics: "cpu  100 0 50 9000 10 0 5 20 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n"))
        #expect(before == StolenTime(stolen: 20, wanted: 175))
        let after = try #require(StolenTime(statistics: "cpu  110 0 55 9900 20 0 5 65 0 0\n"))
        #expect(after.share(since: before) == 0.75)
        #expect(before.share(since: before) == 0)
    }

    @Test(
        "Where the kernel says nothing of the host, nothing was stolen",
        arguments: ["", "cpu  1 2 3 4\n", "intr 1 2 3\n"])
    func nothingSaid(statistics: String) {
        #expect(StolenTime(statistics: statistics) == nil)
    }
}
