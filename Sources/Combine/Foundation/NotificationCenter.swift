import Foundation

extension NotificationCenter {
    /// A publisher of the notifications with this name, from this object or from any.
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> NotificationCenter.Publisher {
        Publisher(center: self, name: name, object: object)
    }

    /// A publisher of a center's notifications.
    public struct Publisher: Combine.Publisher, Equatable {
        public typealias Output = Notification
        public typealias Failure = Never

        public let center: NotificationCenter
        public let name: Notification.Name
        public let object: AnyObject?

        public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
            self.center = center
            self.name = name
            self.object = object
        }

        public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, S.Input == Notification {
            let inner = Inner(downstream: subscriber)
            inner.observe(self)
            subscriber.receive(subscription: inner)
        }

        public static func == (lhs: Publisher, rhs: Publisher) -> Bool {
            lhs.center === rhs.center && lhs.name == rhs.name && lhs.object === rhs.object
        }

        private final class Inner<Downstream: Subscriber>: Subscription, StageDescription
        where Downstream.Input == Notification, Downstream.Failure == Never {
            private let lock = Lock()
            private var downstream: Downstream?
            private var demand = Subscribers.Demand.none
            private var publisher: Publisher?
            private var observation: (any NSObjectProtocol)?

            init(downstream: Downstream) {
                self.downstream = downstream
            }

            func observe(_ publisher: Publisher) {
                self.publisher = publisher
                // The center keeps this subscription, and so the subscriber, until it is cancelled.
                observation = publisher.center.addObserver(
                    forName: publisher.name, object: publisher.object, queue: nil
                ) { notification in
                    self.receive(notification)
                }
            }

            private func receive(_ notification: Notification) {
                lock.lock()
                guard demand > .none, let downstream else {
                    lock.unlock()
                    return
                }
                demand -= 1
                lock.unlock()
                let more = downstream.receive(notification)
                lock { demand += more }
            }

            func request(_ demand: Subscribers.Demand) {
                lock { self.demand += demand }
            }

            func cancel() {
                let released = lock { (publisher.take(), observation.take(), downstream.take()) }
                if let observation = released.1 {
                    released.0?.center.removeObserver(observation)
                }
            }

            var description: String { "NotificationCenter Observer" }

            var mirrorChildren: [Mirror.Child] {
                let (publisher, demand) = lock { (self.publisher, self.demand) }
                return [
                    ("center", publisher?.center as Any), ("name", publisher?.name as Any),
                    ("object", publisher?.object as Any), ("demand", demand),
                ]
            }
        }
    }
}
