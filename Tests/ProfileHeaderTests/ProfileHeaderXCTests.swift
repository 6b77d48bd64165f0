import KataSupport
import ProfileHeader
import XCTest

final class ProfileHeaderXCTests: XCTestCase {
    func testAFailureCancelsTheOtherRequest() async throws {
        await KataSupport.settle()
        let followers = KataSupport.CancellationProbe()
        let gate = KataSupport.Gate()
        let task = Task {
            try await profileHeader {
                try await gate.pass()
                throw KataSupport.Failure("offline")
            } followers: {
                try await followers.run()
                return 0
            }
        }
        defer { task.cancel() }
        try await gate.untilWaiting(atLeast: 1)
        try await followers.started()
        gate.open()
        try await followers.cancelled()
    }
}
