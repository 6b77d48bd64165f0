// right: a task for each connection
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
    private let states = PassthroughSubject<(state: ConnectionState, call: Int), Never>()
    private var listening: Task<Void, Never>?
    private var call = 0  // of the scheduler's thread

    public init(scheduler: S, makeSocket: @escaping (URL) -> any WebSocket) {
        self.makeSocket = makeSocket
        received
            .collect(.byTime(scheduler, .milliseconds(100)))
            .scan([ChatMessage]()) { $0 + $1 }
            .assign(to: &$messages)
        states.receive(on: scheduler)
            .filter { [weak self] in $0.call == self?.call }
            .map(\.state)
            .assign(to: &$connectionState)
    }

    deinit {
        listening?.cancel()
    }

    public func connect(to url: URL) {
        listening?.cancel()
        call += 1
        let socket = makeSocket(url)
        socket.resume()
        states.send((.connected, call))
        listening = Task { [received, states, call] in
            do {
                while true {
                    let message = try await socket.next()
                    try Task.checkCancellation()
                    guard case .string(let text) = message,
                        let chat = try? JSONDecoder().decode(ChatMessage.self, from: Data(text.utf8))
                    else { continue }
                    received.send(chat)
                }
            } catch {
                if !Task.isCancelled { states.send((.error(error.localizedDescription), call)) }
            }
        }
    }

    public func disconnect() {
        listening?.cancel()
        call += 1
        states.send((.disconnected, call))
    }
}

extension WebSocket {
    fileprivate func next() async throws -> SocketMessage {
        try await withTaskCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                receive { continuation.resume(with: $0) }
            }
        } onCancel: {
            cancel()
        }
    }
}
