import Foundation
import KataSupport
import Testing

@Suite(.ownProcess) struct DeadlineTests {
    @Test func aContinuationThatIsNeverResumedIsReportedInSeconds() async throws {
        let error = await #expect(throws: KataSupport.DeadlineExceeded.self) {
            try await KataSupport.withDeadline {
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }
        let found = try #require(error)
        #expect(found.finding.key == "deadline")
        #expect(["2", "0.5", "0.3", "0.25"].contains(found.finding.arguments))
        let lines = found.description.split(separator: "\n")
        #expect(lines.last?.hasPrefix("finding: {\"arguments\":[") == true)
    }

    @Test func aThreadThatIsBlockedCostsOneWaitAndNotTheNext() async throws {
        let semaphore = DispatchSemaphore(value: 0)
        await #expect(throws: KataSupport.DeadlineExceeded.self) {
            try await KataSupport.withDeadline { block(on: semaphore) }
        }
        #expect(try await KataSupport.withDeadline { 7 } == 7)
        semaphore.signal()
    }

    @Test func valuesAndErrorsPassThrough() async throws {
        #expect(try await KataSupport.withDeadline { 7 } == 7)
        await #expect(throws: KataSupport.Failure("x")) {
            try await KataSupport.withDeadline { throw KataSupport.Failure("x") }
        }
    }

    @Test func manyWaitsLeaveNoTimersBehind() async throws {
        for number in 0..<2_000 {
            let gate = KataSupport.Gate()
            let task = Task {
                try await gate.pass()
                return number
            }
            try await gate.untilWaiting(atLeast: 1)
            gate.open()
            #expect(try await KataSupport.withDeadline { try await task.value } == number)
        }
    }
}

private func block(on semaphore: DispatchSemaphore) {
    semaphore.wait()
}
