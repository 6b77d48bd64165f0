/// Tells that an object is about to change.
public final class ObservableObjectPublisher: Publisher {
    public typealias Output = Void
    public typealias Failure = Never

    private let lock = Lock()
    @exclusivity(unchecked) private var subscriptions = SubjectSubscriptions()

    public init() {}

    public func receive<S>(subscriber: S) where S: Subscriber, S.Failure == Never, S.Input == Void {
        let subscription = Inner(parent: self, erasedSubscriber: .erasing(subscriber))
        lock { subscriptions.append(subscription) }
        subscriber.receive(subscription: subscription)
    }

    /// Tells every subscriber.
    public func send() {
        let recipients: SubjectSubscriptions.Recipients<Void, Never> = lock { subscriptions.recipients() }
        recipients.offer(())
    }

    private func remove(_ subscription: Inner) { lock { subscriptions.remove(subscription) } }

    private final class Inner: SubjectSubscription<Void, Never>, Subscription, StageDescription {
        func request(_ demand: Subscribers.Demand) {
            // A subscriber that has asked once gets every change, as with Apple's.
            lock { self.demand = .unlimited }
        }

        func cancel() {
            cancel { unsafeDowncast($0, to: ObservableObjectPublisher.self).remove(self) }
        }

        var description: String { "ObservableObjectPublisher" }

        override var mirrorChildren: [Mirror.Child] {
            [("downstream", lock { erasedSubscriber }.map { $0.subscriber } as Any)]
        }
    }
}
