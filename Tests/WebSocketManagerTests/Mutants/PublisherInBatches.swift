// mutant: sends messages only when they are shown
// fails: WebSocketManagerTests/theMessagePublisherSendsEachMessageAtOnce()
// fails: WebSocketManagerTests/lateMessagesOfTheSocketBeforeAreIgnored()
// fails: WebSocketManagerXCTests/testItCanBeConnectedAgainAfterADisconnect
// fails: WebSocketManagerTests/aMessageMayMeetACall()
// hint: WebSocketManagerTests/theMessagePublisherSendsEachMessageAtOnce() atOnce.late
import Combine
import Foundation
import Synchronization

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

    public var messagePublisher: AnyPublisher<ChatMessage, Never> {
        received.collect(.byTime(scheduler, .milliseconds(100))).flatMap { $0.publisher }.eraseToAnyPublisher()
    }

    private let scheduler: S
    private let makeSocket: (URL) -> any WebSocket
    private let received = PassthroughSubject<ChatMessage, Never>()
    private let changes = PassthroughSubject<(state: ConnectionState, socket: (any WebSocket)?), Never>()
    private let current = Mutex<(any WebSocket)?>(nil)

    public init(scheduler: S, makeSocket: @escaping (URL) -> any WebSocket) {
        self.makeSocket = makeSocket
        self.scheduler = scheduler
        received
            .collect(.byTime(scheduler, .milliseconds(100)))
            .filter { !$0.isEmpty }
            .scan([ChatMessage]()) { $0 + $1 }
            .assign(to: &$messages)
        changes
            .receive(on: scheduler)
            .filter { [weak self] in self?.isCurrent($0.socket) ?? false }
            .map(\.state)
            .assign(to: &$connectionState)
    }

    deinit {
        replaceSocket(by: nil)
    }

    public func connect(to url: URL) {
        let socket = makeSocket(url)
        replaceSocket(by: socket)
        socket.resume()
        changes.send((.connected, socket))
        receive(from: socket)
    }

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
                self.receive(from: socket)
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
    fileprivate init?(_ message: SocketMessage) {
        guard case .string(let text) = message,
            let decoded = try? JSONDecoder().decode(ChatMessage.self, from: Data(text.utf8))
        else { return nil }
        self = decoded
    }
}
