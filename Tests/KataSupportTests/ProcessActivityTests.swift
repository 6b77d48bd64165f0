import Foundation
import Testing

@testable import KataSupport

/// What the process does is read from the system's records, for all of its threads.
@Suite(.ownProcess) struct ProcessActivityTests {
    /// So few looks that they don't seem to be code that computes without end.
    @Test func whatLooksCostIsNotTheWorkOfTheCode() {
        let counted = cost { for _ in 0..<200 { _ = ProcessActivity.awakeThreads() } }
        let uncounted = cost { ProcessActivity.uncounted { for _ in 0..<200 { _ = ProcessActivity.awakeThreads() } } }
        #expect(uncounted < counted / 2)
    }

    /// A look at so many threads takes longer than the monitor sleeps.
    @Test func theMonitorIsNotSeenAwake() async {
        let end = DispatchSemaphore(value: 0)
        for _ in 0..<400 {
            Thread.detachNewThread {
                end.wait()
                end.signal()
            }
        }
        await KataSupport.settle()
        // The test framework's threads wake as well, now and then. Were these looks counted, this test would seem to compute
        // without end.
        #expect((0..<400).contains { _ in ProcessActivity.uncounted { ProcessActivity.isAsleep() } })
        end.signal()
    }

    /// What counts as processor time of the process meanwhile.
    private func cost(_ body: () -> Void) -> Double {
        let start = ProcessActivity.processorSeconds
        body()
        return ProcessActivity.processorSeconds - start
    }
}
