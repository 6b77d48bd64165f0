/// The subscription to one value that is there already: it is sent, with the completion, at the first request.
final class SingleValue<Downstream: Subscriber>: Subscription, CustomStringConvertible, CustomReflectable,
    CustomPlaygroundDisplayConvertible
{
    private let lock = Lock()
    private let name: StaticString
    private let value: Downstream.Input
    private var downstream: Downstream?

    init(_ value: Downstream.Input, downstream: Downstream, name: StaticString) {
        self.value = value
        self.downstream = downstream
        self.name = name
    }

    func request(_ demand: Subscribers.Demand) {
        demand.requirePositive()
        guard let downstream = take() else { return }
        _ = downstream.receive(value)
        downstream.receive(completion: .finished)
    }

    func cancel() {
        _ = take()
    }

    private func take() -> Downstream? {
        lock.lock()
        defer { lock.unlock() }
        let taken = downstream
        downstream = nil
        return taken
    }

    var description: String { String(describing: name) }

    var customMirror: Mirror { Mirror(self, unlabeledChildren: CollectionOfOne(value)) }

    var playgroundDescription: Any { description }
}
