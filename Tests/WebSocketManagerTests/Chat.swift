import Combine
import Foundation
import KataSupport
import WebSocketManager

/// An app with a chat. A test connects it, speaks for the server, and lets time pass.
final class Chat {
    let scheduler = KataSupport.TestScheduler()
    private let sockets = KataSupport.Log<Socket>()
    private(set) var manager: WebSocketManager<KataSupport.TestScheduler>?

    init() async {
        await KataSupport.settle()
        manager = WebSocketManager(scheduler: scheduler) { [sockets] url in
            let socket = Socket(address: url.absoluteString)
            sockets.record(socket)
            return socket
        }
        await catchUp()
    }

    /// A chat that is connected, for a race: little happens before it. No batch ends at once.
    static func connected() async -> Chat {
        let chat = await Chat()
        chat.connectBeforeTheSchedulerRuns()
        await chat.catchUp()
        chat.scheduler.advance(by: .milliseconds(30))
        return chat
    }

    // MARK: - What the app does

    /// Connects. Some time passes after that, so that no batch ends at the very moment of a message.
    func connect(to address: String = "wss://chat.example") async {
        connectBeforeTheSchedulerRuns(to: address)
        await catchUp()
        await wait(30)
    }

    func disconnect() async {
        disconnectBeforeTheSchedulerRuns()
        await catchUp()
    }

    func connectBeforeTheSchedulerRuns(to address: String = "wss://chat.example") {
        manager?.connect(to: URL(string: address) ?? URL(fileURLWithPath: address))
    }

    func disconnectBeforeTheSchedulerRuns() {
        manager?.disconnect()
    }

    /// Leaves the chat: the test does not hold the manager any more. The scheduler does not run.
    func leave() async {
        leaveAtOnce()
        await KataSupport.settle()
    }

    func leaveAtOnce() {
        manager = nil
    }

    /// Lets time pass in small steps.
    func wait(_ milliseconds: Int) async {
        var left = milliseconds
        while left > 0 {
            let step = min(left, 50)
            runScheduler(for: .milliseconds(step))
            await catchUp()
            left -= step
        }
    }

    // MARK: - What the server does

    /// The first socket that was made, the second, and so on.
    func socket(_ number: Int = 1) throws -> Socket {
        let made = sockets.events
        if let socket = made.dropFirst(number - 1).first { return socket }
        throw KataSupport.Mismatch(
            expected: "makeSocket × \(number)", actual: "makeSocket × \(made.count)",
            kind: made.isEmpty ? .nothing : .missing)
    }

    func send(_ message: ChatMessage, through number: Int = 1) async throws {
        try await send(.string(message.json), through: number)
    }

    func send(_ message: SocketMessage, through number: Int = 1) async throws {
        try socket(number).come([.success(message)])
        await catchUp()
    }

    /// Sends messages so fast that each is there before it is asked for.
    func send(fast messages: [ChatMessage]) async throws {
        try socket().come(messages.map(\.event))
        await catchUp()
    }

    func fail(_ text: String, through number: Int = 1) async throws {
        try await failBeforeTheSchedulerRuns(text, through: number)
        await catchUp()
    }

    /// A failure whose consequences wait on the scheduler, if there are any.
    func failBeforeTheSchedulerRuns(_ text: String, through number: Int = 1) async throws {
        try socket(number).come([.failure(Offline(text: text))])
        await KataSupport.settle()
    }

    // MARK: - What is seen

    /// The addresses that sockets were made for.
    var addresses: [String] { sockets.events.map(\.address) }

    /// The sockets that were closed.
    var closed: [String] {
        zip(1..., sockets.events).filter { $1.calls.contains("cancel") }.map { "socket \($0.0)" }
    }

    var shown: String { [ChatMessage].shown(manager?.messages ?? []) }

    func expectShown(_ messages: [ChatMessage]) throws {
        try KataSupport.expect((manager?.messages ?? []).map(\.shown), equals: messages.map(\.shown))
    }

    func expectState(_ state: ConnectionState, otherwise kind: KataSupport.Finding.Kind = .different) throws {
        let actual = manager?.connectionState.shown ?? "–"
        if actual != state.shown { throw KataSupport.Mismatch(expected: state.shown, actual: actual, kind: kind) }
    }

    func expectNoError() throws {
        let others = [ConnectionState.connected, .disconnected].map(\.shown)
        try KataSupport.expect(manager?.connectionState.shown ?? "–", isOneOf: others)
    }

    /// Records what `messagePublisher` sends, and `|` for its end.
    func recordMessages() -> (log: KataSupport.Log<String>, subscription: AnyCancellable?) {
        let log = KataSupport.Log<String>(time: scheduler)
        let subscription = manager?.messagePublisher.sink(
            receiveCompletion: { _ in log.record("|") }, receiveValue: { log.record($0.shown) })
        return (log, subscription)
    }

    /// Records what is published in `messages` from now on: each time all messages.
    func recordPublished() -> (log: KataSupport.Log<String>, subscription: AnyCancellable?) {
        let log = KataSupport.Log<String>()
        let subscription = manager?.$messages.dropFirst().sink { log.record([ChatMessage].shown($0)) }
        return (log, subscription)
    }

    /// Records where `messages` changes from now on.
    func recordPlaces() -> (log: KataSupport.Log<String>, subscription: AnyCancellable?) {
        let log = KataSupport.Log<String>()
        let subscription = manager?.$messages.dropFirst().sink { _ in
            log.record(Thread.current.threadDictionary["scheduler"] == nil ? "another thread" : "scheduler")
        }
        return (log, subscription)
    }

    /// Lets all that was set off happen, also what waits on the scheduler without a time.
    func catchUp() async {
        await KataSupport.settle()
        runScheduler()
        await KataSupport.settle()
    }

    private func runScheduler(for duration: Duration = .zero) {
        Thread.current.threadDictionary["scheduler"] = true
        defer { Thread.current.threadDictionary["scheduler"] = nil }
        scheduler.advance(by: duration)
    }
}

/// A socket that a test speaks through.
final class Socket: WebSocket {
    typealias Event = Result<SocketMessage, any Error>

    private struct State: Sendable {
        var calls: [String] = []
        /// Requests for a message, and what answered them.
        var history: [String] = []
        var handlers: [@Sendable (Event) -> Void] = []
        /// What has not been asked for yet.
        var inbox: [Event] = []
        /// How many handlers have returned.
        var handled = 0
    }

    let address: String
    private let state = KataSupport.Observed(State())

    init(address: String) {
        self.address = address
    }

    /// What was called, in order.
    var calls: [String] { state.value.calls }

    var history: [String] { state.value.history }
    var handled: Int { state.value.handled }

    func resume() {
        state.update { $0.calls.append("resume") }
    }

    func receive(completionHandler: @escaping @Sendable (Event) -> Void) {
        let hasCome = state.update {
            $0.calls.append("receive")
            $0.history.append("receive")
            $0.handlers.append(completionHandler)
            return !$0.inbox.isEmpty
        }
        if hasCome { Task { answer() } }
    }

    func cancel() {
        state.update { $0.calls.append("cancel") }
    }

    /// Lets events come. The first one answers the request that has waited longest, and the others wait for requests.
    func come(_ events: [Event]) {
        state.update { $0.inbox += events }
        answer()
    }

    private func answer() {
        guard let (handler, event) = next() else { return }
        handler(event)
        state.update { $0.handled += 1 }
    }

    private func next() -> (handler: @Sendable (Event) -> Void, event: Event)? {
        state.update { state in
            guard let handler = state.handlers.first, let event = state.inbox.first else { return nil }
            state.handlers.removeFirst()
            state.inbox.removeFirst()
            if case .success = event { state.history.append("message") } else { state.history.append("failure") }
            return (handler, event)
        }
    }
}

/// An error with a text for people.
struct Offline: LocalizedError {
    var text: String

    var errorDescription: String? { text }
}

extension ChatMessage {
    var json: String { "{\"id\": \(id), \"text\": \"\(text)\"}" }
    var event: Socket.Event { .success(.string(json)) }
    var shown: String { "\(id):\(text)" }
}

extension [ChatMessage] {
    static func shown(_ messages: [ChatMessage]) -> String {
        messages.isEmpty ? "–" : messages.map(\.shown).joined(separator: " + ")
    }
}

extension ConnectionState {
    var shown: String {
        switch self {
        case .disconnected: "disconnected"
        case .connected: "connected"
        case .error(let text): "error(\"\(text)\")"
        }
    }
}

extension KataSupport.Values {
    /// Messages whose ids go up and down: no sort gives this order where there are three or more.
    mutating func messages(_ count: Int) -> [ChatMessage] {
        let sorted = integers(count).sorted()
        let ids = (0..<count).map { sorted[$0 % 2 == 0 ? count / 2 + $0 / 2 : $0 / 2] }
        return zip(ids, labels(count)).map { ChatMessage(id: $0, text: $1) }
    }
}
