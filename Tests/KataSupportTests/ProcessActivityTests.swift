import Foundation
import Testing

@testable import KataSupport

/// What the process does is read from the system's records, for all of its threads.
@Suite(.ownProcess) struct ProcessActivityTests {
    @Test func whatLooksCostIsNotTheWorkOfTheCode() {
        let counted = cost { for _ in 0..<2_000 { _ = ProcessActivity.awakeThreads() } }
        let uncounted = cost { ProcessActivity.uncounted { for _ in 0..<2_000 { _ = ProcessActivity.awakeThreads() } } }
        #expect(uncounted < counted / 2)
    }

    /// What counts as processor time of the process meanwhile.
    private func cost(_ body: () -> Void) -> Double {
        let start = ProcessActivity.processorSeconds
        body()
        return ProcessActivity.processorSeconds - start
    }
}
