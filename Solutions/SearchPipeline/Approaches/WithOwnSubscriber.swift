// right: a subscriber of its own, which also passes on what comes after a cancellation
import Combine
import Foundation

public final class SearchPipeline: ObservableObject {
    @Published public var searchText = ""
    @Published public private(set) var results: [String] = []

    private let lock = NSLock()
    private var changes = 0
    private var lastText = ""
    private var searches = 0
    private var running: AnyCancellable?
    private var texts: AnyCancellable?

    public init<S: Scheduler>(scheduler: S, search: @escaping (String) -> AnyPublisher<[String], any Error>) {
        texts = $searchText.sink { [weak self] text in
            guard let change = self?.change() else { return }
            scheduler.schedule(after: scheduler.now.advanced(by: .milliseconds(300))) {
                self?.quietPeriodEnded(text, change) { number in
                    let subscriber = OwnSubscriber(
                        receiveCompletion: { completion in
                            guard case .failure = completion else { return }
                            scheduler.schedule { self?.show([], of: number) }
                        },
                        receiveValue: { found in
                            scheduler.schedule { self?.show(found, of: number) }
                        })
                    search(text).subscribe(subscriber)
                    return AnyCancellable(subscriber)
                }
            }
        }
    }

    private func change() -> Int {
        lock.withLock {
            changes += 1
            return changes
        }
    }

    private func quietPeriodEnded(_ text: String, _ change: Int, search: (Int) -> AnyCancellable) {
        lock.lock()
        guard change == changes, text != lastText else { return lock.unlock() }
        lastText = text
        searches += 1
        let number = searches
        let previous = running
        running = nil
        lock.unlock()
        previous?.cancel()
        guard text.count >= 3 else {
            results = []
            return
        }
        let subscription = search(number)
        lock.withLock { if number == searches { running = subscription } }
    }

    private func show(_ found: [String], of number: Int) {
        if lock.withLock({ number == searches }) { results = found }
    }
}

/// Passes on all that it receives.
private final class OwnSubscriber: Subscriber, Cancellable {
    let receiveCompletion: (Subscribers.Completion<any Error>) -> Void
    let receiveValue: ([String]) -> Void
    private var subscription: (any Subscription)?

    init(
        receiveCompletion: @escaping (Subscribers.Completion<any Error>) -> Void,
        receiveValue: @escaping ([String]) -> Void
    ) {
        self.receiveCompletion = receiveCompletion
        self.receiveValue = receiveValue
    }

    func receive(subscription: any Subscription) {
        self.subscription = subscription
        subscription.request(.unlimited)
    }

    func receive(_ input: [String]) -> Subscribers.Demand {
        receiveValue(input)
        return .none
    }

    func receive(completion: Subscribers.Completion<any Error>) {
        receiveCompletion(completion)
    }

    func cancel() {
        subscription?.cancel()
        subscription = nil
    }
}
