import Combine
import Foundation
import KataSupport
import Testing
import WebSocketManager

@Suite(.ownProcess) struct WebSocketManagerTests {
    // MARK: - A connection

    @Test func connectResumesTheSocket() async throws {
        let chat = await Chat()
        await chat.connect()
        let calls = try chat.socket().calls
        try KataSupport.expect(calls.filter { $0 == "resume" }, equals: ["resume"])
        try KataSupport.expect(calls.first ?? "–", equals: "resume")
    }

    @Test func connectShowsThatItIsConnected() async throws {
        let chat = await Chat()
        await chat.connect()
        try chat.expectState(.connected)
    }

    @Test func theNextMessageIsAskedForWhenOneHasCome() async throws {
        var values = KataSupport.Values()
        let chat = await Chat()
        await chat.connect()
        for message in values.messages(2) { try await chat.send(message) }
        try KataSupport.expect(
            chat.socket().history, equals: ["receive", "message", "receive", "message", "receive"])
    }

    // MARK: - Messages

    @Test func theMessagePublisherSendsEachMessageAtOnce() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(2)
        let chat = await Chat()
        await chat.connect()
        let (log, subscription) = chat.recordMessages()
        log.input(messages[0].shown)
        try await chat.send(messages[0])
        await chat.wait(20)
        log.input(messages[1].shown)
        try await chat.send(messages[1])
        await chat.wait(200)
        try log.expect([(messages[0].shown, .milliseconds(30)), (messages[1].shown, .milliseconds(50))])
        withExtendedLifetime(subscription) {}
        try await KataSupport.inCase("two subscribers") { try await expectEverySubscriber() }
    }

    /// Every subscriber gets every message.
    private func expectEverySubscriber() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(2)
        let chat = await Chat()
        await chat.connect()
        let (first, one) = chat.recordMessages()
        let (second, two) = chat.recordMessages()
        for message in messages { try await chat.send(message) }
        try KataSupport.expect(first.events, equals: messages.map(\.shown))
        try KataSupport.expect(second.events, equals: messages.map(\.shown))
        withExtendedLifetime((one, two)) {}
    }

    @Test func messagesAreNotShownAtOnce() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(1)
        let chat = await Chat()
        await chat.connect()
        try await chat.send(messages[0])
        try chat.expectShown([])
        await chat.wait(100)
        try chat.expectShown(messages)
        // Nor are many of them.
        try await chat.send(fast: values.messages(300))
        try KataSupport.expect(chat.manager?.messages.count ?? 0, equals: 1)
    }

    @Test func noMessageWaitsLongerThanABatch() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(4)
        let chat = await Chat()
        await chat.connect()
        for message in messages {
            try await chat.send(message)
            await chat.wait(40)
        }
        // 160 ms after the first message, 120 ms after the second and 80 ms after the third.
        let shown = (chat.manager?.messages ?? []).prefix(2)
        try KataSupport.expect(shown.map(\.shown), equals: messages.prefix(2).map(\.shown))
    }

    @Test func batchesFollowOneAnother() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(4)
        let chat = await Chat()
        await chat.connect()
        for batch in [messages[..<2], messages[2...]] {
            for message in batch { try await chat.send(message) }
            await chat.wait(100)
        }
        try chat.expectShown(messages)
        // Another text with the id of a message that is shown, and then the same message again, in this batch and the next.
        let last = ChatMessage(id: messages[0].id, text: values.strings(1)[0])
        for batch in [[last, last], [last]] {
            for message in batch { try await chat.send(message) }
            await chat.wait(100)
        }
        try KataSupport.expect(
            [ChatMessage].shown(chat.manager?.messages ?? []),
            equals: [ChatMessage].shown(messages + [last, last, last]))
    }

    @Test func messagesThatComeFastKeepTheirOrder() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(2)
        try await KataSupport.explore { race in
            let chat = await Chat.connected()
            let socket = try chat.socket()
            // What is sent while the first handler runs was asked for by that handler.
            let sentInside = KataSupport.Log<String>()
            let subscription = chat.manager?.messagePublisher.sink { message in
                if socket.handled == 0 { sentInside.record(message.shown) }
            }
            try await race.threads({ socket.come(messages.map(\.event)) })
            await chat.wait(100)
            if sentInside.events.first == messages[1].shown {
                throw KataSupport.Mismatch(expected: [ChatMessage].shown(messages), actual: chat.shown, kind: .early)
            }
            try chat.expectShown(messages)
            withExtendedLifetime(subscription) {}
        }
    }

    @Test func whatIsNoMessageIsLeftOut() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(4)
        let chat = await Chat()
        await chat.connect()
        let sent: [SocketMessage] = [
            .string(messages[0].json), .string("ping"), .string(messages[1].json),
            .string("{\"id\": \"\(messages[3].id)\"}"), .data(.init(messages[3].json.utf8)), .string(messages[2].json),
        ]
        for message in sent { try await chat.send(message) }
        await chat.wait(100)
        try chat.expectShown(Array(messages[..<3]))
        try await KataSupport.inCase("receive") { try await expectNextRequest() }
    }

    /// The next message is asked for.
    private func expectNextRequest() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(3)
        let chat = await Chat()
        await chat.connect()
        let sent: [SocketMessage] = [
            .string(messages[0].json), .string("ping"), .string("{\"id\": \"\(messages[1].id)\"}"),
            .data(.init(messages[1].json.utf8)), .string(messages[2].json),
        ]
        var expected = ["receive"]
        for message in sent {
            try await chat.send(message)
            expected += ["message", "receive"]
            try KataSupport.expect(chat.socket().history, equals: expected)
        }
    }

    @Test func noMessageIsLeftOut() async throws {
        var values = KataSupport.Values()
        var messages = values.messages(3)
        messages[1].text = ""
        let chat = await Chat()
        await chat.connect()
        let (log, subscription) = chat.recordMessages()
        for message in messages { try await chat.send(message) }
        await chat.wait(100)
        try KataSupport.expect(log.events, equals: messages.map(\.shown))
        try chat.expectShown(messages)
        withExtendedLifetime(subscription) {}
        try await KataSupport.inCase("2,100 messages") { try await expectLongHistory() }
    }

    /// Also the oldest ones stay.
    private func expectLongHistory() async throws {
        let count = 2_100
        let chat = await Chat()
        await chat.connect()
        for batch in [0..<700, 700..<count] {
            try await chat.send(fast: batch.map { ChatMessage(id: $0, text: "message") })
            await chat.wait(100)
        }
        try KataSupport.expect(chat.manager?.messages.count ?? 0, equals: count)
    }

    // MARK: - A failure

    @Test func whatCameBeforeTheFailureIsShown() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(2)
        let chat = await Chat()
        await chat.connect()
        for message in messages { try await chat.send(message) }
        try await chat.fail("offline")
        await chat.wait(100)
        try chat.expectShown(messages)
    }

    @Test func allIsPublishedOnTheScheduler() async throws {
        var values = KataSupport.Values()
        let text = values.strings(1)[0]
        let chat = await Chat()
        await chat.connect()
        try chat.expectState(.connected)
        try await chat.failBeforeTheSchedulerRuns(text)
        try chat.expectState(.connected)
        await chat.wait(10)
        try chat.expectState(.error(text))
        try await KataSupport.inCase("messages") { try await expectMessagesOnTheScheduler() }
    }

    /// So are the messages.
    private func expectMessagesOnTheScheduler() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(2)
        let chat = await Chat()
        await chat.connect()
        let (log, subscription) = chat.recordPlaces()
        for message in messages { try await chat.send(message) }
        try await chat.failBeforeTheSchedulerRuns("offline")
        await chat.wait(200)
        try chat.expectShown(messages)
        let places = log.events.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        try KataSupport.expect(places, equals: ["scheduler"])
        withExtendedLifetime(subscription) {}
    }

    // MARK: - The next connection

    @Test func connectingAgainClosesTheSocketBefore() async throws {
        let chat = await Chat()
        await chat.connect()
        await chat.connect()
        _ = try chat.socket(2)
        try KataSupport.expect(chat.closed, equals: ["socket 1"])
    }

    @Test func theNextCallKeepsTheHistory() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(2)
        let chat = await Chat()
        await chat.connect()
        try await chat.send(messages[0])
        await chat.wait(100)
        try chat.expectShown([messages[0]])
        await chat.connect()
        try await chat.send(messages[1], through: 2)
        await chat.wait(200)
        try chat.expectShown(messages)
        try await KataSupport.inCase("waiting, connect") { try await expectBatchAfterConnect() }
        try await KataSupport.inCase("waiting, disconnect") { try await expectBatchAfterDisconnect() }
    }

    /// A batch that waits is kept as well.
    private func expectBatchAfterConnect() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(2)
        let chat = await Chat()
        await chat.connect()
        try await chat.send(messages[0])
        await chat.connect()
        try await chat.send(messages[1], through: 2)
        await chat.wait(200)
        try chat.expectShown(messages)
    }

    @Test func lateMessagesOfTheSocketBeforeAreIgnored() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(2)
        let chat = await Chat()
        await chat.connect()
        await chat.connect()
        let (log, subscription) = chat.recordMessages()
        try await chat.send(messages[0], through: 1)
        try await chat.send(messages[1], through: 2)
        await chat.wait(200)
        try KataSupport.expect(log.events, equals: [messages[1].shown])
        try chat.expectShown([messages[1]])
        withExtendedLifetime(subscription) {}
        try await KataSupport.inCase("receive") { try await expectNoLateRequest() }
        try await KataSupport.inCase("subscriber connects") { try await expectOneRequestOfTheNextSocket() }
    }

    /// A subscriber may connect again while it receives: the next socket was asked by `connect`.
    private func expectOneRequestOfTheNextSocket() async throws {
        var values = KataSupport.Values()
        let chat = await Chat()
        await chat.connect()
        let subscription = chat.manager?.messagePublisher.first().sink { _ in chat.connectBeforeTheSchedulerRuns() }
        try await chat.send(values.messages(1)[0])
        try KataSupport.expect(chat.socket(2).history, equals: ["receive"])
        withExtendedLifetime(subscription) {}
    }

    /// A late message asks for nothing.
    private func expectNoLateRequest() async throws {
        var values = KataSupport.Values()
        let chat = await Chat()
        await chat.connect()
        await chat.connect()
        try await chat.send(values.messages(1)[0], through: 1)
        try KataSupport.expect(chat.socket(2).history, equals: ["receive"])
        try KataSupport.expect(chat.socket(1).history, equals: ["receive", "message"])
    }

    @Test func aLateFailureOfTheSocketBeforeIsIgnored() async throws {
        let chat = await Chat()
        await chat.connect()
        await chat.connect()
        try await chat.fail("cancelled", through: 1)
        try chat.expectState(.connected)
    }

    @Test func aFailureThatWaitsDoesNotCountAfterTheNextCall() async throws {
        let chat = await Chat()
        await chat.connect()
        try await chat.failBeforeTheSchedulerRuns("offline")
        await chat.connect()
        _ = try chat.socket(2)
        try chat.expectState(.connected)
        let other = await Chat()
        await other.connect()
        try await other.failBeforeTheSchedulerRuns("offline")
        await other.disconnect()
        try other.expectState(.disconnected)
    }

    // MARK: - Disconnecting

    @Test func disconnectClosesTheSocket() async throws {
        let chat = await Chat()
        await chat.connect()
        _ = try chat.socket()
        await chat.disconnect()
        try KataSupport.expect(chat.closed, equals: ["socket 1"])
        try await KataSupport.inCase("message") { try await expectSilence() }
    }

    @Test func theLatestCallDecidesTheState() async throws {
        let chat = await Chat()
        await chat.connect()
        try chat.expectState(.connected)
        await chat.disconnect()
        try chat.expectState(.disconnected)
        let failed = await Chat()
        await failed.connect()
        try await failed.fail("offline")
        await failed.disconnect()
        try failed.expectState(.disconnected, otherwise: .error)
        try await KataSupport.inCase("two calls") { try await expectLatestCall() }
        try await KataSupport.inCase("failure") { try await expectNoError() }
    }

    /// The latest call decides, even if the scheduler has not run since the one before.
    private func expectLatestCall() async throws {
        let chat = await Chat()
        chat.connectBeforeTheSchedulerRuns()
        chat.disconnectBeforeTheSchedulerRuns()
        await chat.catchUp()
        _ = try chat.socket()
        try chat.expectState(.disconnected)
        let other = await Chat()
        await other.connect()
        other.disconnectBeforeTheSchedulerRuns()
        other.connectBeforeTheSchedulerRuns()
        await other.catchUp()
        try other.expectState(.connected)
    }

    /// The failure of a closed socket is no error.
    private func expectNoError() async throws {
        let chat = await Chat()
        await chat.connect()
        try chat.expectState(.connected)
        await chat.disconnect()
        try await chat.fail("cancelled")
        try chat.expectState(.disconnected)
    }

    /// No message is heard any more.
    private func expectSilence() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(2)
        let chat = await Chat()
        await chat.connect()
        let (log, subscription) = chat.recordMessages()
        try await chat.send(messages[0])
        await chat.disconnect()
        try await chat.send(messages[1])
        await chat.wait(200)
        try KataSupport.expect(log.events.filter { $0 != "|" }, equals: [messages[0].shown])
        withExtendedLifetime(subscription) {}
    }

    /// The same for a disconnect.
    private func expectBatchAfterDisconnect() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(2)
        let chat = await Chat()
        await chat.connect()
        for message in messages { try await chat.send(message) }
        await chat.disconnect()
        await chat.wait(100)
        try chat.expectShown(messages)
    }

    // MARK: - What is published

    /// A batch is published once.
    private func expectOneChange() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(3)
        let chat = await Chat()
        await chat.connect()
        let (log, subscription) = chat.recordPublished()
        for message in messages { try await chat.send(message) }
        await chat.wait(200)
        try KataSupport.expect(log.events, equals: [[ChatMessage].shown(messages)])
        withExtendedLifetime(subscription) {}
    }

    /// Also after connecting again.
    private func expectOneChangeAfterConnect() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(5)
        let chat = await Chat()
        await chat.connect()
        await chat.connect()
        let (log, subscription) = chat.recordPublished()
        for message in messages[..<3] { try await chat.send(message, through: 2) }
        await chat.wait(200)
        let batch = [ChatMessage].shown(Array(messages[..<3]))
        try KataSupport.expect(log.events, equals: [batch])
        // And a batch that waits while it is connected again: it may end with the next message, or before it.
        try await chat.send(messages[3], through: 2)
        await chat.connect()
        try await chat.send(messages[4], through: 3)
        await chat.wait(300)
        let changes = log.events.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
        try KataSupport.expect(log.events, equals: changes)
        withExtendedLifetime(subscription) {}
    }

    @Test func aBatchIsPublishedOnce() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(1)
        let chat = await Chat()
        await chat.connect()
        let (log, subscription) = chat.recordPublished()
        await chat.wait(300)
        try await chat.send(messages[0])
        await chat.wait(400)
        try KataSupport.expect(log.events, equals: [[ChatMessage].shown(messages)])
        withExtendedLifetime(subscription) {}
        try await KataSupport.inCase("batch") { try await expectOneChange() }
        try await KataSupport.inCase("batch, connect") { try await expectOneChangeAfterConnect() }
    }

    // MARK: - Threads

    // What does not meet: two handlers, since one message is asked for at a time; `connect`, `disconnect()` and the
    // scheduler's time, which are on one thread; a failure and the release or a subscriber, to which it is no other than a
    // message.

    @Test func aMessageThatComesWhileABatchIsShownIsKept() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(2)
        try await KataSupport.explore { race in
            let chat = await Chat.connected()
            let (socket, scheduler) = (try chat.socket(), chat.scheduler)
            try await chat.send(messages[0])
            try await race.threads(
                { scheduler.advance(by: .milliseconds(100)) }, { socket.come([messages[1].event]) })
            scheduler.advance(by: .seconds(2))
            await chat.catchUp()
            try chat.expectShown(messages)
        }
    }

    @Test func aMessageMayMeetACall() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(2)
        let (first, second) = (messages[0].shown, messages[1].shown)
        try await KataSupport.explore { race in
            nonisolated(unsafe) let chat = await Chat.connected()
            let socket = try chat.socket()
            try await race.threads({ socket.come([messages[0].event]) }, { chat.connectBeforeTheSchedulerRuns() })
            try KataSupport.expect(chat.socket(2).history, equals: ["receive"])
        }
        try await KataSupport.explore { race in
            nonisolated(unsafe) let chat = await Chat.connected()
            let socket = try chat.socket()
            try await race.threads({ socket.come([messages[0].event]) }, { chat.disconnectBeforeTheSchedulerRuns() })
            await chat.wait(100)
            try KataSupport.expect(chat.shown, isOneOf: ["–", first])
        }
        // What the release has to do is asked below. Here the two meet without a data race or a crash.
        try await KataSupport.explore { race in
            nonisolated(unsafe) let chat = await Chat.connected()
            let socket = try chat.socket()
            try await race.threads({ socket.come([messages[0].event]) }, { chat.leaveAtOnce() })
        }
        // A subscriber begins.
        try await KataSupport.explore { race in
            let chat = await Chat.connected()
            let (socket, log) = (try chat.socket(), KataSupport.Log<String>())
            nonisolated(unsafe) let manager = chat.manager
            nonisolated(unsafe) var subscription: AnyCancellable?
            try await race.threads(
                { socket.come([messages[0].event]) },
                { subscription = manager?.messagePublisher.sink { log.record($0.shown) } })
            try await chat.send(messages[1])
            try KataSupport.expect(log.events.joined(separator: " + "), isOneOf: [second, "\(first) + \(second)"])
            withExtendedLifetime(subscription) {}
        }
        try await KataSupport.inCase("failure") { try await raceFailure() }
    }

    /// A failure and a call.
    private func raceFailure() async throws {
        var values = KataSupport.Values()
        let messages = values.messages(1)
        let failure = Socket.Event.failure(Offline(text: "offline"))
        try await KataSupport.explore { race in
            nonisolated(unsafe) let chat = await Chat.connected()
            let socket = try chat.socket()
            try await race.threads({ socket.come([failure]) }, { chat.connectBeforeTheSchedulerRuns() })
            await chat.catchUp()
            try chat.expectNoError()
        }
        try await KataSupport.explore { race in
            nonisolated(unsafe) let chat = await Chat.connected()
            let socket = try chat.socket()
            try await race.threads({ socket.come([failure]) }, { chat.disconnectBeforeTheSchedulerRuns() })
            await chat.catchUp()
            try chat.expectNoError()
        }
        try await KataSupport.explore { race in
            let chat = await Chat.connected()
            let (socket, scheduler) = (try chat.socket(), chat.scheduler)
            try await chat.send(messages[0])
            try await race.threads({ socket.come([failure]) }, { scheduler.advance(by: .milliseconds(100)) })
            scheduler.advance(by: .seconds(2))
            await chat.catchUp()
            try chat.expectShown(messages)
        }
    }
}
