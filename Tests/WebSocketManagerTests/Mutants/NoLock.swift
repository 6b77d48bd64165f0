// mutant: collects a batch by hand, without a lock
// fails: WebSocketManagerTests/aMessageThatComesWhileABatchIsShownIsKept()
// fails: WebSocketManagerTests/aMessageMayMeetACall()
// hint: WebSocketManagerTests/aMessageThatComesWhileABatchIsShownIsKept() dataRace
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

    private let scheduler: S
    private let makeSocket: (URL) -> any WebSocket
    private let received = PassthroughSubject<ChatMessage, Never>()
    private var socket: (any WebSocket)?
    private var batch: [ChatMessage] = []

    public init(scheduler: S, makeSocket: @escaping (URL) -> any WebSocket) {
        self.scheduler = scheduler
        self.makeSocket = makeSocket
    }

    deinit {
        socket?.cancel()
    }

    public func connect(to url: URL) {
        let next = makeSocket(url)
        replaceSocket(by: next)
        next.resume()
        show(.connected, of: next)
        listen(to: next)
    }

    public func disconnect() {
        replaceSocket(by: nil)
        show(.disconnected, of: nil)
    }

    private func replaceSocket(by next: (any WebSocket)?) {
        let previous = socket
        socket = next
        previous?.cancel()
    }

    private func listen(to socket: any WebSocket) {
        socket.receive { [weak self] result in
            guard let self, self.isCurrent(socket) else { return }
            switch result {
            case .success(.string(let text)):
                if let message = try? JSONDecoder().decode(ChatMessage.self, from: Data(text.utf8)) {
                    self.take(message)
                }
                self.listen(to: socket)
            case .success(.data):
                self.listen(to: socket)
            case .failure(let error):
                self.show(.error(error.localizedDescription), of: socket)
            }
        }
    }

    private func take(_ message: ChatMessage) {
        batch.append(message)
        let isFirst = batch.count == 1
        received.send(message)
        guard isFirst else { return }
        scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(100))) { [weak self] in
            self?.showBatch()
        }
    }

    private func showBatch() {
        let taken = batch
        batch = []
        messages += taken
    }

    private func show(_ state: ConnectionState, of socket: (any WebSocket)?) {
        scheduler.schedule { [weak self] in
            guard let self, self.isCurrent(socket) else { return }
            self.connectionState = state
        }
    }

    private func isCurrent(_ other: (any WebSocket)?) -> Bool {
        socket === other
    }
}
