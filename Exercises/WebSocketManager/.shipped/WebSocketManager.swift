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

    /// Every message as soon as it comes, whichever connection it comes through.
    public var messagePublisher: AnyPublisher<ChatMessage, Never> {
        // Write this property.
        Empty().eraseToAnyPublisher()
    }

    private let scheduler: S
    private let makeSocket: (URL) -> any WebSocket

    /// - Parameters:
    ///   - scheduler: The scheduler that measures the time, and on which messages and states are published.
    ///   - makeSocket: Makes a socket for an address. Nothing happens to it until it is resumed.
    public init(scheduler: S, makeSocket: @escaping (URL) -> any WebSocket) {
        self.scheduler = scheduler
        self.makeSocket = makeSocket
        // Write the rest of this initializer.
    }

    /// Opens a connection, in place of the previous one.
    public func connect(to url: URL) {
        // Write this method.
    }

    /// Closes the connection.
    public func disconnect() {
        // Write this method.
    }
}
