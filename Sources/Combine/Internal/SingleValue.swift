/// The subscription to one value that is there already: it is sent, with the completion, at the first request.
///
/// The class is not generic, and what knows the types is a closure: a subscription is called through its protocol, which
/// would otherwise run the code that knows no types.
@usableFromInline
final class SingleValue: Subscription, StageDescription {
    @usableFromInline
    enum Occasion {
        case send
        case tell((Any) -> Void)
    }

    @usableFromInline let lock = Lock()
    @usableFromInline let name: StaticString
    @usableFromInline @exclusivity(unchecked) var act: ((Occasion) -> Void)?

    @inlinable
    init<Downstream: Subscriber>(_ value: Downstream.Input, downstream: Downstream, name: StaticString) {
        self.name = name
        act = { occasion in
            switch occasion {
            case .send:
                _ = downstream.receive(value)
                downstream.receive(completion: .finished)
            case .tell(let answer):
                answer(value)
            }
        }
    }

    @usableFromInline
    func request(_ demand: Subscribers.Demand) {
        demand.requireSome()
        take()?(.send)
    }

    @usableFromInline
    func cancel() {
        _ = take()
    }

    private func take() -> ((Occasion) -> Void)? {
        lock { act.take() }
    }

    @usableFromInline
    var description: String { String(describing: name) }

    @usableFromInline
    var customMirror: Mirror {
        var values: [Any] = []
        lock { act }?(.tell { values.append($0) })
        return Mirror(self, unlabeledChildren: values)
    }
}
