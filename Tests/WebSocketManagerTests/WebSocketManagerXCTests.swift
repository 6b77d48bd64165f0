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
    }

    func testWhatWaitsDoesNotKeepTheManager() async throws {
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
}
