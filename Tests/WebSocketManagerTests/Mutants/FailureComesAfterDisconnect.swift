// mutant: shows a failure that waited for the scheduler after a disconnect
// fails: WebSocketManagerTests/aFailureThatWaitsDoesNotCountAfterTheNextCall()
// fails: WebSocketManagerTests/aMessageMayMeetACall()
// hint: WebSocketManagerTests/aFailureThatWaitsDoesNotCountAfterTheNextCall() waitsFailure
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

public final class WebSocketManager<S: Scheduler>: ObservableObject {
    @Published public private(set) var messages: [ChatMessage] = []
    @Published public private(set) var connectionState: ConnectionState = .disconnected

    public var messagePublisher: AnyPublisher<ChatMessage, Never> {
        subject.eraseToAnyPublisher()
    }

    private let subject = PassthroughSubject<ChatMessage, Never>()
    private let scheduler: S
    private let makeSocket: (URL) -> any WebSocket
    private let lock = NSLock()
    private var socket: (any WebSocket)?

    public init(scheduler: S, makeSocket: @escaping (URL) -> any WebSocket) {
        self.scheduler = scheduler
        self.makeSocket = makeSocket
        subject
            .collect(.byTime(scheduler, .milliseconds(100)))
            .filter { !$0.isEmpty }
            .scan([]) { $0 + $1 }
            .assign(to: &$messages)
    }

    deinit {
        socket?.cancel()
    }

    public func connect(to url: URL) {
        let socket = makeSocket(url)
        replace(by: socket)?.cancel()
        socket.resume()
        connectionState = .connected
        receive(from: socket)
    }

    public func disconnect() {
        replace(by: nil)?.cancel()
        connectionState = .disconnected
    }

    private func replace(by new: (any WebSocket)?) -> (any WebSocket)? {
        lock.withLock {
            defer { socket = new }
            return socket
        }
    }

    private func counts(_ other: any WebSocket) -> Bool {
        lock.withLock { socket === other }
    }

    private func receive(from socket: any WebSocket) {
        socket.receive { [weak self, weak socket] result in
            guard let self, let socket, self.counts(socket) else { return }
            switch result {
            case .success(let message):
                if case .string(let text) = message,
                    let message = try? JSONDecoder().decode(ChatMessage.self, from: Data(text.utf8))
                {
                    self.subject.send(message)
                }
                if self.counts(socket) { self.receive(from: socket) }
            case .failure(let error):
                self.scheduler.schedule { [weak self] in
                    guard let self, self.counts(socket) || self.lock.withLock({ self.socket == nil }) else { return }
                    self.connectionState = .error(error.localizedDescription)
                }
            }
        }
    }
}
