/// The subscription to one value that is there already: it is sent, with the completion, at the first request.
@usableFromInline
final class SingleValue<Downstream: Subscriber>: Subscription, CustomStringConvertible, CustomReflectable,
    CustomPlaygroundDisplayConvertible
{
    @usableFromInline let lock = Lock()
    @usableFromInline let name: StaticString
    @usableFromInline let value: Downstream.Input
    @usableFromInline var downstream: Downstream?
    /// Sends. What calls `request` does not know the types; a closure that is made where they are known does.
    @usableFromInline let sending: (SingleValue) -> Void

    @inlinable
    init(_ value: Downstream.Input, downstream: Downstream, name: StaticString) {
        self.value = value
        self.downstream = downstream
        self.name = name
        sending = { $0.send() }
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        demand.requirePositive()
        sending(self)
    }

    @inlinable
    func send() {
        guard let downstream = take() else { return }
        _ = downstream.receive(value)
        downstream.receive(completion: .finished)
    }

    @inlinable
    func cancel() {
        _ = take()
    }

    @inlinable
    func take() -> Downstream? {
        lock.lock()
        defer { lock.unlock() }
        let taken = downstream
        downstream = nil
        return taken
    }

    @usableFromInline
    var description: String { String(describing: name) }

    @usableFromInline
    var customMirror: Mirror { Mirror(self, unlabeledChildren: CollectionOfOne(value)) }

    @usableFromInline
    var playgroundDescription: Any { description }
}
