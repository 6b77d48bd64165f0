import Combine
import Testing

/// Publishers that answer a request at once would overflow the stack if each value was sent from inside the call that
/// sends the value before it.
@Suite("Long sequences, one value at a time")
struct LongSequenceTests {
    private let numbers = (0..<30_000).publisher

    private func count<P: Publisher>(_ publisher: P) -> Int {
        var count = 0
        publisher.subscribe(
            AnySubscriber(
                receiveSubscription: { $0.request(.max(1)) },
                receiveValue: { _ in
                    count += 1
                    return .max(1)
                }))
        return count
    }

    @Test func merge() {
        #expect(count(Publishers.Merge(numbers, numbers)) == 60_000)
    }

    @Test func zip() {
        #expect(count(numbers.zip(numbers, numbers)) == 30_000)
    }

    @Test func combineLatest() {
        #expect(count(numbers.combineLatest(numbers)) >= 30_000)
    }

    @Test func switchToLatest() {
        #expect(count([numbers, numbers].publisher.switchToLatest()) >= 30_000)
    }

    @Test func append() {
        #expect(count(numbers.map { $0 }.append(numbers)) == 60_000)
    }

    @Test func `requested from inside of each value`() {
        var subscription: (any Subscription)?
        var count = 0
        numbers.zip(numbers.merge(with: numbers)).subscribe(
            AnySubscriber(
                receiveSubscription: {
                    subscription = $0
                    $0.request(.max(1))
                },
                receiveValue: { _ in
                    count += 1
                    subscription?.request(.max(1))
                    return .none
                }))
        #expect(count == 30_000)
        subscription?.cancel()
    }
}
