/// What a `@Published` property sends its values with. It announces each change to the object first, then to the subscribers,
/// and has the new value afterwards.
final class PublishedSubject<Output>: Publisher {
    typealias Failure = Never

    private let lock = Lock()
    @exclusivity(unchecked) private var subscriptions = SubjectSubscriptions()
    @exclusivity(unchecked) private var current: Output
    @exclusivity(unchecked) private var upstreams: [any Subscription] = []
    private var changes: ObservableObjectPublisher?

    init(_ value: Output) {
        current = value
    }

    deinit {
        upstreams.forEach { $0.cancel() }
    }

    var value: Output { lock { current } }

    var objectWillChange: ObservableObjectPublisher? {
        get { lock { changes } }
        set { lock { changes = newValue } }
    }

    func send(_ input: Output) {
        objectWillChange?.send()
        let recipients: SubjectSubscriptions.Recipients<Output, Never> = lock { subscriptions.recipients() }
        recipients.offer(input)
        let replaced = lock { exchange(&current, with: input) }
        _ = replaced
    }

    func keep(_ subscription: any Subscription) {
        lock { upstreams.append(subscription) }
        subscription.request(.unlimited)
    }

    func receive<S>(subscriber: S) where S: Subscriber, S.Input == Output, S.Failure == Never {
        let erasedSubscriber = ErasedSubscriber<Output, Never>.erasing(subscriber)
        let subscription = Inner(parent: self, erasedSubscriber: erasedSubscriber)
        let mustRequest = subscription.announce(subscription, to: erasedSubscriber) {
            lock { subscriptions.append(subscription) }
        }
        if mustRequest { subscription.sendLatest(.none) }
    }

    private func remove(_ subscription: Inner) { lock { subscriptions.remove(subscription) } }

    private final class Inner: SubjectSubscription<Output, Never>, Subscription, StageDescription {
        func request(_ demand: Subscribers.Demand) {
            guard demand > .none else { return }
            sendLatest(demand)
        }

        func sendLatest(_ demand: Subscribers.Demand) {
            var more = demand
            while request(more, latest: { subject, _ in unsafeDowncast(subject, to: PublishedSubject.self).value }) {
                more = .none
            }
        }

        func cancel() {
            cancel { unsafeDowncast($0, to: PublishedSubject.self).remove(self) }
        }

        var description: String { "PublishedSubject" }
    }
}
