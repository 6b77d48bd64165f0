// right: scheduled actions and a lock, without operators
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
                    search(text).sink(
                        receiveCompletion: { completion in
                            guard case .failure = completion else { return }
                            scheduler.schedule { self?.show([], of: number) }
                        },
                        receiveValue: { found in
                            scheduler.schedule { self?.show(found, of: number) }
                        })
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
