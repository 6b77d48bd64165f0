extension ConnectablePublisher {
    /// Connects when the first subscriber comes, and cancels the connection when the last one cancels.
    public func autoconnect() -> Publishers.Autoconnect<Self> {
        .init(upstream: self)
    }
}

extension Publishers {
    /// What `autoconnect` returns.
    public class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public final let upstream: Upstream

        private enum Phase {
            case disconnected
            case connecting(subscribers: Int)
            case connected(subscribers: Int, any Cancellable)
        }

        private let lock = Lock()
        private var phase = Phase.disconnected

        public init(upstream: Upstream) {
            self.upstream = upstream
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            let isFirst = lock {
                switch phase {
                case .disconnected:
                    phase = .connecting(subscribers: 1)
                    return true
                case .connecting(let subscribers):
                    phase = .connecting(subscribers: subscribers + 1)
                case .connected(let subscribers, let connection):
                    phase = .connected(subscribers: subscribers + 1, connection)
                }
                return false
            }
            upstream.subscribe(Inner(parent: self, downstream: subscriber))
            if isFirst {
                connect()
            }
        }

        private func connect() {
            let connection = upstream.connect()
            let isWanted = lock {
                guard case .connecting(let subscribers) = phase, subscribers > 0 else {
                    // They came and went while the connection was made.
                    phase = .disconnected
                    return false
                }
                phase = .connected(subscribers: subscribers, connection)
                return true
            }
            if !isWanted { connection.cancel() }
        }

        fileprivate func leave() {
            let unused: (any Cancellable)? = lock {
                switch phase {
                case .disconnected:
                    break
                case .connecting(let subscribers):
                    phase = .connecting(subscribers: subscribers - 1)
                case .connected(1, let connection):
                    phase = .disconnected
                    return connection
                case .connected(let subscribers, let connection):
                    phase = .connected(subscribers: subscribers - 1, connection)
                }
                return nil
            }
            unused?.cancel()
        }
    }
}

extension Publishers.Autoconnect {
    private struct Inner<Downstream: Subscriber>: PassThrough
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
        let parent: Publishers.Autoconnect<Upstream>
        let downstream: Downstream
        let combineIdentifier = CombineIdentifier()

        func receive(subscription: any Subscription) {
            downstream.receive(subscription: Ticket(parent: parent, subscription: subscription))
        }

        func receive(_ input: Upstream.Output) -> Subscribers.Demand { downstream.receive(input) }

        var description: String { "Autoconnect" }

        var mirrorChildren: [Mirror.Child] { [("parent", parent), ("downstream", downstream)] }
    }

    /// One subscriber's share in the connection: given back once, when it cancels. It passes for the subscription that it
    /// stands for.
    private final class Ticket: Subscription, CustomStringConvertible, CustomPlaygroundDisplayConvertible {
        private let lock = Lock()
        private let subscription: any Subscription
        private var parent: Publishers.Autoconnect<Upstream>?

        init(parent: Publishers.Autoconnect<Upstream>, subscription: any Subscription) {
            self.parent = parent
            self.subscription = subscription
        }

        var combineIdentifier: CombineIdentifier { subscription.combineIdentifier }

        func request(_ demand: Subscribers.Demand) {
            subscription.request(demand)
        }

        func cancel() {
            let parent = lock { self.parent.take() }
            subscription.cancel()
            parent?.leave()
        }

        var description: String { String(describing: subscription) }

        var playgroundDescription: Any { description }
    }
}
