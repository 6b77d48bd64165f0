// mutant: the batch that waits keeps the manager
// fails: WebSocketManagerXCTests/testTheManagerIsReleased
// hint: WebSocketManagerXCTests/testTheManagerIsReleased releasedWaiting
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
    private let lock = NSRecursiveLock()
    private var socket: (any WebSocket)?
    private var number = 0
    private var waiting: [ChatMessage] = []

    public init(scheduler: S, makeSocket: @escaping (URL) -> any WebSocket) {
        self.scheduler = scheduler
        self.makeSocket = makeSocket
    }

    deinit {
        socket?.cancel()
    }

    public func connect(to url: URL) {
        let new = makeSocket(url)
        let mine = change(to: new)
        new.resume()
        connectionState = .connected
        ask(new, mine)
    }

    public func disconnect() {
        _ = change(to: nil)
        connectionState = .disconnected
    }

    private func change(to new: (any WebSocket)?) -> Int {
        lock.lock()
        let before = socket
        socket = new
        number += 1
        let mine = number
        lock.unlock()
        before?.cancel()
        return mine
    }

    private func ask(_ socket: any WebSocket, _ mine: Int) {
        socket.receive { [weak self] result in
            self?.take(result, mine)
        }
    }

    private func take(_ result: Result<SocketMessage, any Error>, _ mine: Int) {
        lock.lock()
        guard mine == number else { return lock.unlock() }
        switch result {
        case .success(.string(let text)):
            if let message = try? JSONDecoder().decode(ChatMessage.self, from: Data(text.utf8)) {
                waiting.append(message)
                if waiting.count == 1 {
                    scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(100))) {
                        self.show()
                    }
                }
                subject.send(message)
            }
        case .success:
            break
        case .failure(let error):
            lock.unlock()
            scheduler.schedule { [weak self] in
                guard let self, self.lock.withLock({ mine == self.number }) else { return }
                self.connectionState = .error(error.localizedDescription)
            }
            return
        }
        let next = mine == number ? socket : nil
        lock.unlock()
        if let next { ask(next, mine) }
    }

    private func show() {
        let batch = lock.withLock {
            defer { waiting = [] }
            return waiting
        }
        messages += batch
    }
}
