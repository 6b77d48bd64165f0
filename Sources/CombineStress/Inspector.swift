import Combine
import Foundation
import Synchronization

/// How many promises were seen broken.
let violations = Atomic<Int>(0)

func violation(_ message: @autoclosure () -> String) {
    violations.add(1, ordering: .relaxed)
    FileHandle.standardError.write(Data("broken: \(message())\n".utf8))
}

func expect(_ holds: Bool, _ message: @autoclosure () -> String) {
    if !holds { violation(message()) }
}

/// A subscriber that holds its publisher to what was promised: never more values than were requested, nothing after the
/// end, and one event after the other. It may be asked to request and to cancel by any thread.
final class Inspector<Input, Failure: Error>: Subscriber {
    let name: String
    let received = Atomic<Int>(0)
    let ends = Atomic<Int>(0)
    private let isSerial: Bool
    private let outstanding: Atomic<Int>
    private let isBusy = Atomic<Bool>(false)
    private let subscription = Mutex<(any Subscription)?>(nil)
    private let perValue: Int
    private let onValue: (Input) -> Void

    /// Events of a subject that several threads send to may overlap, as its sends do: such an inspector is not serial.
    init(
        _ name: String, requesting initially: Int? = nil, perValue: Int = 0, isSerial: Bool = true,
        onValue: @escaping (Input) -> Void = { _ in }
    ) {
        self.name = name
        self.isSerial = isSerial
        self.perValue = perValue
        self.onValue = onValue
        outstanding = Atomic(initially ?? Self.unlimited)
        isUnlimited = initially == nil
    }

    private static var unlimited: Int { .max / 2 }
    private let isUnlimited: Bool

    func receive(subscription: any Subscription) {
        // A request of another thread comes either before this, and is asked for here, or after it.
        let initially = self.subscription.withLock {
            $0 = subscription
            return outstanding.load(ordering: .relaxed)
        }
        if isUnlimited {
            subscription.request(.unlimited)
        } else if initially > 0 {
            subscription.request(.max(initially))
        }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        enter("a value")
        received.add(1, ordering: .relaxed)
        let left = outstanding.subtract(1, ordering: .relaxed).newValue
        expect(left >= 0, "\(name): a value came that was not requested")
        expect(!isSerial || ends.load(ordering: .relaxed) == 0, "\(name): a value came after the end")
        onValue(input)
        outstanding.add(perValue, ordering: .relaxed)
        leave()
        return .max(perValue)
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        enter("the end")
        let count = ends.add(1, ordering: .relaxed).newValue
        expect(count == 1, "\(name): the end came \(count) times")
        leave()
    }

    func request(_ count: Int) {
        let subscription = subscription.withLock {
            outstanding.add(count, ordering: .relaxed)
            return $0
        }
        subscription?.request(.max(count))
    }

    func cancel() {
        subscription.withLock { $0 }?.cancel()
    }

    /// Breaks the cycle with a subscription that does not.
    func letGo() {
        subscription.withLock { $0 = nil }
    }

    private func enter(_ what: String) {
        guard isSerial else { return }
        expect(
            !isBusy.exchange(true, ordering: .acquiringAndReleasing),
            "\(name): \(what) came while another event was on its way")
    }

    private func leave() {
        guard isSerial else { return }
        isBusy.store(false, ordering: .releasing)
    }
}
