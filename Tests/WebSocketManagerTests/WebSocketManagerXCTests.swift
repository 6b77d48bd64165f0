import KataSupport
import WebSocketManager
import XCTest

final class WebSocketManagerXCTests: XCTestCase {
    func testConnectMakesASocketForTheAddress() async throws {
        var values = KataSupport.Values()
        let address = "wss://\(values.strings(1)[0]).example/chat"
        let chat = await Chat()
        await chat.connect(to: address)
        try KataSupport.expect(chat.addresses, equals: [address])
    }

    func testMessagesAreShown() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(4)
        let chat = await Chat()
        await chat.connect()
        for message in messages { try await chat.send(message) }
        await chat.wait(100)
        try chat.expectShown(messages)
    }

    func testAFailureIsTheState() async throws {
        var values = KataSupport.Values()
        let text = values.strings(1)[0]
        let chat = await Chat()
        await chat.connect()
        try await chat.fail(text)
        try chat.expectState(.error(text))
        try await KataSupport.inCase("receive") { try await expectNoRequest() }
    }

    func testItCanBeConnectedAgainAfterADisconnect() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(1)
        let chat = await Chat()
        await chat.connect()
        await chat.disconnect()
        await chat.connect()
        let (log, subscription) = chat.recordMessages()
        try await chat.send(messages[0], through: 2)
        try chat.expectState(.connected)
        try KataSupport.expect(log.events, equals: messages.map(\.shown))
        withExtendedLifetime(subscription) {}
        try await KataSupport.inCase("messagePublisher") { try await expectPublisherOutlivesConnections() }
    }

    func testTheManagerIsReleased() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(1)
        let chat = await Chat()
        await chat.connect()
        try await chat.send(messages[0])
        await chat.wait(100)
        try chat.expectShown(messages)
        weak let manager = chat.manager
        await chat.leave()
        try await KataSupport.expectReleased { manager }
        try await KataSupport.inCase("waiting") { try await expectReleaseWhileWaiting() }
        try await KataSupport.inCase("socket") { try await expectClosedSocket() }
    }

    /// Nor does a batch or a failure that waits keep it.
    private func expectReleaseWhileWaiting() async throws {
        var values = KataSupport.Values()
        let chat = await Chat()
        await chat.connect()
        try await chat.send(values.messages(1)[0])
        weak let manager = chat.manager
        await chat.leave()
        try await KataSupport.expectReleased { manager }
        let other = await Chat()
        await other.connect()
        try await other.failBeforeTheSchedulerRuns("offline")
        weak let otherManager = other.manager
        await other.leave()
        try await KataSupport.expectReleased { otherManager }
    }

    /// Nothing more is asked for.
    private func expectNoRequest() async throws {
        var values = KataSupport.Values()
        let chat = await Chat()
        await chat.connect()
        try await chat.send(values.messages(1)[0])
        try await chat.fail("offline")
        try KataSupport.expect(chat.socket().history, equals: ["receive", "message", "receive", "failure"])
    }

    /// The publisher outlives the connections.
    private func expectPublisherOutlivesConnections() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(3)
        let chat = await Chat()
        let (log, subscription) = chat.recordMessages()
        await chat.connect()
        try await chat.send(messages[0])
        try await chat.fail("offline")
        await chat.connect()
        try await chat.send(messages[1], through: 2)
        await chat.disconnect()
        await chat.connect()
        try await chat.send(messages[2], through: 3)
        try KataSupport.expect(log.events, equals: messages.map(\.shown))
        withExtendedLifetime(subscription) {}
    }

    /// The release closes the socket.
    private func expectClosedSocket() async throws {
        let chat = await Chat()
        await chat.connect()
        _ = try chat.socket()
        await chat.leave()
        try KataSupport.expect(chat.closed, equals: ["socket 1"])
    }
}
