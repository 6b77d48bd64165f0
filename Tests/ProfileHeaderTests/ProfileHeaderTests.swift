import KataSupport
import ProfileHeader
import Testing

@Suite(.ownProcess) struct ProfileHeaderTests {
    @Test func twoRequestsTakeAsLongAsTheLongerOne() async throws {
        var values = KataSupport.Values()
        let (name, followers) = (values.strings(1)[0], values.integer())
        let clock = KataSupport.TestClock()
        let history = KataSupport.Log<String>(time: clock)
        history.input("both requests")
        let task = Task {
            let header = try await profileHeader {
                try await clock.sleep(for: .milliseconds(200))
                return name
            } followers: {
                try await clock.sleep(for: .milliseconds(300))
                return followers
            }
            history.record(header)
        }
        defer { task.cancel() }
        await clock.advance(by: .seconds(2))
        try history.expect([("\(name), \(followers)", .milliseconds(300))])
    }
}
