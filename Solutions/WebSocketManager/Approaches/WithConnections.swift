// right: one object for each connection; the manager receives from the latest one
import Combine
import Foundation

/// A message of a chat. On its way it is a text: `{"id": 7, "text": "Hello"}`.
public struct ChatMessage: Codable, Equatable, Sendable {
    public var id: Int
    public var text: String

    public init(id: Int, text: String) {
        self.id = id
        self.text = text
    }
}

public enum ConnectionState: Equatable, Sendable {
    case disconnected
    case connected
    case error(String)
}

public enum SocketMessage: Equatable, Sendable {
    case string(String)
    case data(Data)
}

public protocol WebSocket: AnyObject, Sendable {
    func resume()
    func receive(completionHandler: @escaping @Sendable (Result<SocketMessage, any Error>) -> Void)
    func cancel()
}

public final class WebSocketManager<S: Scheduler>: ObservableObject {
    @Published public private(set) var messages: [ChatMessage] = []
    @Published public private(set) var connectionState: ConnectionState = .disconnected
    public var messagePublisher: AnyPublisher<ChatMessage, Never> { received.eraseToAnyPublisher() }

    private let makeSocket: (URL) -> any WebSocket
    private let received = PassthroughSubject<ChatMessage, Never>()
    private let connections = PassthroughSubject<AnyPublisher<Event, Never>, Never>()
    private let subscription: AnyCancellable

    public init(scheduler: S, makeSocket: @escaping (URL) -> any WebSocket) {
        self.makeSocket = makeSocket
        let states = PassthroughSubject<ConnectionState, Never>()
        subscription = connections.switchToLatest().sink { [received] event in
            switch event {
            case .message(let message): received.send(message)
            case .state(let state): states.send(state)
            }
        }
        received
            .collect(.byTime(scheduler, .milliseconds(100)))
            .scan([ChatMessage]()) { $0 + $1 }
            .assign(to: &$messages)
        states.receive(on: scheduler).assign(to: &$connectionState)
    }

    public func connect(to url: URL) {
        let connection = Connection(makeSocket(url))
        connections.send(
            connection.events
                .prepend(.state(.connected))
                .handleEvents(receiveCancel: { connection.close() })
                .eraseToAnyPublisher())
        connection.open()
    }

    public func disconnect() {
        connections.send(Just(Event.state(.disconnected)).eraseToAnyPublisher())
    }
}

private enum Event {
    case message(ChatMessage)
    case state(ConnectionState)
}

private final class Connection: @unchecked Sendable {
    let events = PassthroughSubject<Event, Never>()
    private let socket: any WebSocket
    private let lock = NSLock()
    private var isClosed = false

    init(_ socket: any WebSocket) {
        self.socket = socket
    }

    func open() {
        socket.resume()
        listen()
    }

    func close() {
        lock.withLock { isClosed = true }
        socket.cancel()
    }

    private func listen() {
        socket.receive { [weak self] result in
            guard let self, !self.lock.withLock({ self.isClosed }) else { return }
            switch result {
            case .success(let message):
                if case .string(let text) = message,
                    let chat = try? JSONDecoder().decode(ChatMessage.self, from: Data(text.utf8))
                {
                    self.events.send(.message(chat))
                }
                self.listen()
            case .failure(let error):
                self.events.send(.state(.error(error.localizedDescription)))
            }
        }
    }
}
