import Foundation
import Testing

@testable import Grading

@Suite("Time without a processor is not counted against the learner") struct HeldUpTimeTests {
    private func counted(
        of time: Duration, waited: Duration, used: Duration = .seconds(1000), others: Duration = .zero, stolen: Duration
    ) -> Duration {
        HeldUpTime.counted(of: time, waited: waited, used: used, others: others, stolen: stolen)
    }

    @Test("The time that a thread waited counts, up to four fifths of the whole time")
    func waiting() {
        #expect(counted(of: .seconds(10), waited: .seconds(3), stolen: .zero) == .seconds(3))
        #expect(counted(of: .seconds(10), waited: .seconds(900), stolen: .zero) == .seconds(8))
    }

    @Test("The time that the host took counts in full, and in the rest the time that a thread waited")
    func stolen() {
        #expect(counted(of: .seconds(10), waited: .zero, stolen: .seconds(5)) == .seconds(5))
        #expect(counted(of: .seconds(10), waited: .seconds(1), stolen: .seconds(5)) == .seconds(6))
        #expect(counted(of: .seconds(10), waited: .seconds(900), stolen: .seconds(5)) == .seconds(9))
    }

    @Test("The time that other programs had counts where it is longer: threads that have ended are not seen to wait")
    func others() {
        #expect(
            counted(of: .seconds(10), waited: .seconds(1), others: .seconds(4), stolen: .zero) == .seconds(4))
        #expect(
            counted(of: .seconds(10), waited: .seconds(5), others: .seconds(4), stolen: .zero) == .seconds(5))
        #expect(
            counted(of: .seconds(10), waited: .zero, others: .seconds(10), stolen: .zero) == .seconds(8))
    }

    /// Ten seconds of a machine with two processors.
    private func counted(waited: Duration, ownSeconds: UInt64, wantedSeconds: UInt64) -> Duration {
        let ticks = UInt64(sysconf(Int32(_SC_CLK_TCK)))
        let times = ProcessorTimes(stolen: 0, wanted: wantedSeconds * ticks, idle: (20 - wantedSeconds) * ticks)
        let own = ownSeconds * ticks
        return HeldUpTime.counted(
            of: .seconds(10), waited: waited, used: times.othersUse(since: .none, own: own),
            others: times.othersTime(of: .seconds(10), since: .none, own: own), stolen: .zero)
    }

    @Test("One thread among four of other programs is held up for as long as it waits")
    func honest() { #expect(counted(waited: .seconds(6), ownSeconds: 4, wantedSeconds: 20) >= .seconds(6)) }

    @Test("A thread that shares its processor with another program is held up, also if another processor is idle")
    func pinned() { #expect(counted(waited: .seconds(5), ownSeconds: 5, wantedSeconds: 10) == .seconds(5)) }

    @Test("Threads that wait only for each other are not held up")
    func ownThreads() {
        #expect(counted(waited: .seconds(9), ownSeconds: 20, wantedSeconds: 20) == .zero)
        #expect(counted(waited: .seconds(1), ownSeconds: 2, wantedSeconds: 2) == .zero)
    }

    @Test("Threads that wait for each other and for other programs are held up for what the others had")
    func both() {
        #expect(counted(waited: .seconds(9), ownSeconds: 18, wantedSeconds: 20) == .seconds(2))
        #expect(counted(waited: .seconds(9), ownSeconds: 10, wantedSeconds: 20) >= .seconds(5))
    }

    @Test("Other programs hold a process up by their share of the processors, unless a processor is idle")
    func othersShare() {
        let busy = ProcessorTimes(stolen: 0, wanted: 200, idle: 0)
        #expect(busy.othersTime(of: .seconds(1), since: .none, own: 50) == .milliseconds(750))
        #expect(busy.othersTime(of: .seconds(1), since: .none, own: 200) == .zero)
        // The ticks of a process are counted at another moment than those of the machine.
        #expect(busy.othersTime(of: .seconds(1), since: .none, own: 210) == .zero)
        let oneOfTwo = ProcessorTimes(stolen: 0, wanted: 100, idle: 100)
        #expect(oneOfTwo.othersTime(of: .seconds(1), since: .none, own: 0) == .zero)
        #expect(ProcessorTimes.none.othersTime(of: .seconds(1), since: busy, own: 0) == .zero)
    }

    @Test("The stolen share is a share of the time in which something was ready to run, without idle time")
    func share() throws {
        let before = try #require(
            ProcessorTimes(statistics: "cpu  100 0 50 9000 10 0 5 20 0 0\ncpu0 1 2 3 4 5 6 7 8 9 10\n"))
        #expect(before == ProcessorTimes(stolen: 20, wanted: 175, idle: 9010))
        let after = try #require(ProcessorTimes(statistics: "cpu  110 0 55 9900 20 0 5 65 0 0\n"))
        #expect(after.stolenTime(of: .milliseconds(100), since: before) == .milliseconds(75))
        // The kernel has counted no more than this.
        let ticksInSecond = Double(sysconf(Int32(_SC_CLK_TCK)))
        #expect(after.stolenTime(of: .seconds(100), since: before) == .seconds(45) / ticksInSecond)
        #expect(before.stolenTime(of: .seconds(1), since: before) == .zero)
    }

    @Test("A limit is reached also if all of the time is stolen")
    func allStolen() {
        let after = ProcessorTimes(stolen: 1000, wanted: 1000, idle: 0)
        #expect(after.stolenTime(of: .seconds(1), since: .none) == .milliseconds(900))
    }

    @Test(
        "If the kernel reports nothing about the host, no time counts as stolen",
        arguments: ["", "cpu  1 2 3 4\n", "intr 1 2 3\n"])
    func nothingSaid(statistics: String) {
        #expect(ProcessorTimes(statistics: statistics) == nil)
    }
}
