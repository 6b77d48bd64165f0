// mutant: a failure finishes the subject, which the next connection needs
// fails: WebSocketManagerTests/allIsPublishedOnTheScheduler()
// fails: WebSocketManagerXCTests/testItCanBeConnectedAgainAfterADisconnect
// hint: WebSocketManagerTests/allIsPublishedOnTheScheduler() outlives
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

/// What comes through a socket.
public enum SocketMessage: Equatable, Sendable {
    case string(String)
    case data(Data)
}

/// A connection to a server, like `URLSessionWebSocketTask`.
public protocol WebSocket: AnyObject, Sendable {
    /// Opens the connection.
    func resume()
    /// Calls the handler once, on any thread: with the next message, or with the failure that ended the connection.
    func receive(completionHandler: @escaping @Sendable (Result<SocketMessage, any Error>) -> Void)
    /// Closes the connection. A handler that waits may still be called, with a message or a failure.
    func cancel()
}

/// Shows the messages of a chat, through one connection after the other.
public final class WebSocketManager<S: Scheduler>: ObservableObject {
    @Published public private(set) var messages: [ChatMessage] = []
    @Published public private(set) var connectionState: ConnectionState = .disconnected

    private let scheduler: S
    private let makeSocket: (URL) -> any WebSocket
    private let subject = PassthroughSubject<ChatMessage, Never>()
    private let lock = NSLock()
    private var socket: (any WebSocket)?

    /// Every message as soon as it comes, whichever connection it comes through.
    public var messagePublisher: AnyPublisher<ChatMessage, Never> {
        subject.eraseToAnyPublisher()
    }

    /// - Parameters:
    ///   - scheduler: Whose time counts, and where messages and states are published.
    ///   - makeSocket: Makes a socket for an address. Nothing happens to it until it is resumed.
    public init(scheduler: S, makeSocket: @escaping (URL) -> any WebSocket) {
        self.scheduler = scheduler
        self.makeSocket = makeSocket
        subject
            .collect(.byTime(scheduler, .milliseconds(100)))
            .scan([ChatMessage]()) { $0 + $1 }
            .assign(to: &$messages)
    }

    /// Opens a connection, in place of the one before.
    public func connect(to url: URL) {
        let newSocket = makeSocket(url)
        replaceSocket(with: newSocket)?.cancel()
        newSocket.resume()
        connectionState = .connected
        receive(from: newSocket)
    }

    /// Closes the connection.
    public func disconnect() {
        replaceSocket(with: nil)?.cancel()
        connectionState = .disconnected
    }

    deinit {
        socket?.cancel()
    }

    private func replaceSocket(with newSocket: (any WebSocket)?) -> (any WebSocket)? {
        lock.lock()
        defer { lock.unlock() }
        let old = socket
        socket = newSocket
        return old
    }

    private func isCurrent(_ other: any WebSocket) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        return socket === other
    }

    private func receive(from socket: any WebSocket) {
        socket.receive { [weak self, weak socket] result in
            guard let self, let socket else { return }
            guard isCurrent(socket) else { return }
            switch result {
            case .success(let message):
                if let chatMessage = decode(message) { subject.send(chatMessage) }
                if isCurrent(socket) { receive(from: socket) }
            case .failure(let error):
                subject.send(completion: .finished)
                scheduler.schedule { [weak self] in
                    guard let self, isCurrent(socket) else { return }
                    connectionState = .error(error.localizedDescription)
                }
            }
        }
    }

    private func decode(_ message: SocketMessage) -> ChatMessage? {
        guard case .string(let text) = message else { return nil }
        return try? JSONDecoder().decode(ChatMessage.self, from: Data(text.utf8))
    }
}
