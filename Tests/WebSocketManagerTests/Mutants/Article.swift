// mutant: the code of the migration guides
// fails: WebSocketManagerTests/connectingAgainClosesTheSocketBefore()
// fails: WebSocketManagerTests/theNextCallKeepsTheHistory()
// fails: WebSocketManagerTests/lateMessagesOfTheSocketBeforeAreIgnored()
// fails: WebSocketManagerTests/aLateFailureOfTheSocketBeforeIsIgnored()
// fails: WebSocketManagerTests/allIsPublishedOnTheScheduler()
// fails: WebSocketManagerTests/disconnectClosesTheSocket()
// fails: WebSocketManagerTests/theLatestCallDecidesTheState()
// fails: WebSocketManagerTests/aBatchIsPublishedOnce()
// fails: WebSocketManagerXCTests/testTheManagerIsReleased
// fails: WebSocketManagerTests/aFailureThatWaitsDoesNotCountAfterTheNextCall()
// fails: WebSocketManagerTests/aMessageMayMeetACall()
// hint: WebSocketManagerTests/connectingAgainClosesTheSocketBefore() closes
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

    private let scheduler: S
    private let makeSocket: (URL) -> any WebSocket
    private var webSocketTask: (any WebSocket)?
    private let messageSubject = PassthroughSubject<ChatMessage, Never>()
    private var cancellables = Set<AnyCancellable>()

    // Exposed Publisher for consumers
    public var messagePublisher: AnyPublisher<ChatMessage, Never> {
        messageSubject.eraseToAnyPublisher()
    }

    public init(scheduler: S, makeSocket: @escaping (URL) -> any WebSocket) {
        self.scheduler = scheduler
        self.makeSocket = makeSocket
    }

    public func connect(to url: URL) {
        webSocketTask = makeSocket(url)
        webSocketTask?.resume()
        connectionState = .connected

        // Start reception loop
        receiveMessages()

        // Message processing pipeline
        messageSubject
            // Buffer messages to avoid too frequent UI updates
            .collect(.byTime(scheduler, .milliseconds(100)))
            // Accumulate in history
            .scan([ChatMessage]()) { accumulated, new in
                accumulated + new
            }
            .assign(to: &$messages)
    }

    public func disconnect() {}

    private func receiveMessages() {
        webSocketTask?.receive { [weak self] result in
            switch result {
            case .success(let message):
                if case .string(let text) = message,
                   let data = text.data(using: .utf8),
                   let chatMessage = try? JSONDecoder().decode(ChatMessage.self, from: data) {
                    self?.messageSubject.send(chatMessage)
                }
                // Continue reception
                self?.receiveMessages()

            case .failure(let error):
                self?.connectionState = .error(error.localizedDescription)
            }
        }
    }
}
