// mutant: `connect` forgets that a batch is planned, so another one is, which finds nothing new
// fails: WebSocketManagerTests/aBatchIsPublishedOnce()
// hint: WebSocketManagerTests/aBatchIsPublishedOnce() onceAgain
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
        subject.eraseToAnyPublisher()
    }

    private let subject = PassthroughSubject<ChatMessage, Never>()
    private let scheduler: S
    private let makeSocket: (URL) -> any WebSocket
    private let lock = NSLock()
    // Guarded by the lock:
    private var number = 0
    private var socket: (any WebSocket)?
    private var waiting: [ChatMessage] = []
    private var isBatchPlanned = false

    public init(scheduler: S, makeSocket: @escaping (URL) -> any WebSocket) {
        self.scheduler = scheduler
        self.makeSocket = makeSocket
    }

    deinit {
        socket?.cancel()
    }

    /// Opens a connection, in place of the one before.
    public func connect(to url: URL) {
        let new = makeSocket(url)
        let (old, connection) = replaceSocket(by: new)
        old?.cancel()
        connectionState = .connected
        new.resume()
        ask(new, connection)
    }

    /// Closes the connection.
    public func disconnect() {
        let (old, _) = replaceSocket(by: nil)
        old?.cancel()
        connectionState = .disconnected
    }

    private func replaceSocket(by new: (any WebSocket)?) -> (old: (any WebSocket)?, connection: Int) {
        lock.lock()
        defer { lock.unlock() }
        let old = socket
        socket = new
        number += 1
        isBatchPlanned = false
        return (old, number)
    }

    private func ask(_ socket: any WebSocket, _ connection: Int) {
        socket.receive { [weak self] result in
            self?.handle(result, connection)
        }
    }

    private func isCurrent(_ connection: Int) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        return number == connection
    }

    private func handle(_ result: Result<SocketMessage, any Error>, _ connection: Int) {
        switch result {
        case .success(let received):
            if let message = decode(received) {
                guard keep(message, connection) else { return }
                subject.send(message)
            }
            lock.lock()
            let next = number == connection ? socket : nil
            lock.unlock()
            if let next { ask(next, connection) }
        case .failure(let error):
            guard isCurrent(connection) else { return }
            scheduler.schedule { [weak self] in
                guard let self, self.isCurrent(connection) else { return }
                self.connectionState = .error(error.localizedDescription)
            }
        }
    }

    private func decode(_ received: SocketMessage) -> ChatMessage? {
        guard case .string(let text) = received else { return nil }
        return try? JSONDecoder().decode(ChatMessage.self, from: Data(text.utf8))
    }

    /// Keeps a message for the next batch, if its connection still counts.
    private func keep(_ message: ChatMessage, _ connection: Int) -> Bool {
        lock.lock()
        guard number == connection else {
            lock.unlock()
            return false
        }
        waiting.append(message)
        let plans = !isBatchPlanned
        isBatchPlanned = true
        lock.unlock()
        if plans {
            scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(100))) { [weak self] in
                self?.showBatch()
            }
        }
        return true
    }

    private func showBatch() {
        lock.lock()
        let batch = waiting
        waiting = []
        isBatchPlanned = false
        lock.unlock()
        messages += batch
    }
}
