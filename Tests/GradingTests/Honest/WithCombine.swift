// Combine's subjects, subscriptions and operators, and extensions of its types.
import Combine
public extension Publisher {
    func sinkNothing() -> AnyCancellable { sink(receiveCompletion: { _ in }, receiveValue: { _ in }) }
}
final class Once: Subscriber {
    typealias Input = Int
    typealias Failure = Never
    func receive(subscription: any Subscription) { subscription.request(.max(1)) }
    func receive(_ input: Int) -> Subscribers.Demand { .none }
    func receive(completion: Subscribers.Completion<Never>) {}
}
public actor Tally {
    private let subject = PassthroughSubject<Int, Never>()
    private var bag: Set<AnyCancellable> = []
    public private(set) var total = 0
    public init() {}
    public func add(_ number: Int) {
        var seen = 0
        subject.map { $0 * 2 }.filter { $0 != 1 }.sink { seen = $0 }.store(in: &bag)
        subject.send(number)
        subject.subscribe(Once())
        total += seen / 2
        bag.removeAll()
    }
    public func reset() async -> Int { defer { total = 0 }; return total }
}
/*FIRST*/
