// mutant: finds that its socket counts, and then asks the one that counts by now
// fails: WebSocketManagerTests/lateMessagesOfTheSocketBeforeAreIgnored()
// fails: WebSocketManagerTests/aMessageMayMeetACall()
// hint: WebSocketManagerTests/lateMessagesOfTheSocketBeforeAreIgnored() lateAsks.reconnect
import Combine
import Foundation
import Synchronization

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
    /// All messages of all connections, a batch later than they came.
    @Published public private(set) var messages: [ChatMessage] = []
    @Published public private(set) var connectionState: ConnectionState = .disconnected

    /// Every message as soon as it comes, whichever connection it comes through.
    public var messagePublisher: AnyPublisher<ChatMessage, Never> { received.eraseToAnyPublisher() }

    private let makeSocket: (URL) -> any WebSocket
    private let received = PassthroughSubject<ChatMessage, Never>()
    private let changes = PassthroughSubject<(state: ConnectionState, socket: (any WebSocket)?), Never>()
    /// The only socket that counts. Its handlers run on any thread.
    private let current = Mutex<(any WebSocket)?>(nil)

    /// - Parameters:
    ///   - scheduler: Whose time counts, and where messages and states are published.
    ///   - makeSocket: Makes a socket for an address. Nothing happens to it until it is resumed.
    public init(scheduler: S, makeSocket: @escaping (URL) -> any WebSocket) {
        self.makeSocket = makeSocket
        // Once for all connections: a pipeline for each of them would begin with an empty history, next to the others.
        received
            .collect(.byTime(scheduler, .milliseconds(100)))
            .filter { !$0.isEmpty }
            .scan([ChatMessage]()) { $0 + $1 }
            .assign(to: &$messages)
        // On the scheduler, the socket may have been replaced in the meantime: then its state is not news any more.
        changes
            .receive(on: scheduler)
            .filter { [weak self] in self?.isCurrent($0.socket) ?? false }
            .map(\.state)
            .assign(to: &$connectionState)
    }

    deinit {
        replaceSocket(by: nil)
    }

    /// Opens a connection, in place of the one before.
    public func connect(to url: URL) {
        let socket = makeSocket(url)
        replaceSocket(by: socket)
        socket.resume()
        changes.send((.connected, socket))
        receive(from: socket)
    }

    /// Closes the connection.
    public func disconnect() {
        replaceSocket(by: nil)
        changes.send((.disconnected, nil))
    }

    private func receive(from socket: any WebSocket) {
        socket.receive { [weak self, weak socket] result in
            guard let self, let socket, self.isCurrent(socket) else { return }
            switch result {
            case .success(let message):
                if let message = ChatMessage(message) { self.received.send(message) }
                if let current = self.current.withLock({ $0 }) { self.receive(from: current) }
            case .failure(let error):
                self.changes.send((.error(error.localizedDescription), socket))
            }
        }
    }

    private func replaceSocket(by socket: (any WebSocket)?) {
        let previous = current.withLock { current in
            defer { current = socket }
            return current
        }
        previous?.cancel()
    }

    private func isCurrent(_ socket: (any WebSocket)?) -> Bool {
        current.withLock { $0 === socket }
    }
}

extension ChatMessage {
    /// Nil for what is no message of a chat.
    fileprivate init?(_ message: SocketMessage) {
        guard case .string(let text) = message,
            let decoded = try? JSONDecoder().decode(ChatMessage.self, from: Data(text.utf8))
        else { return nil }
        self = decoded
    }
}
