import Combine
import Schedules

/// A subscriber that holds its publisher to what was promised: never more values than were requested, nothing after the
/// end, and one event after the other. Another thread may go on while it receives.
final class Probe<Input, Failure: Error>: Subscriber {
    private(set) var values: [Input] = []
    private(set) var ends = 0
    private(set) var isCancelled = false
    /// How many values were requested after the beginning.
    private(set) var requests = 0
    private let order: Order
    private var initialDemand: Subscribers.Demand
    /// What was requested and has not come.
    private var outstanding: Int
    private var valuesUnderWay = 0
    private var subscription: (any Subscription)?

    /// One that may be given more than it asks for counts nothing.
    init(requesting initially: Int?, _ order: Order = .serial, countsDemand: Bool = true) {
        self.order = order
        initialDemand = initially.map { .max($0) } ?? .unlimited
        outstanding = countsDemand ? initially ?? .max / 2 : .max / 2
    }

    var hasSubscribed: Bool { subscription != nil }
    var events: Int { values.count + ends }

    func receive(subscription: any Subscription) {
        // A request of another thread comes either before this, and is asked for here, or after it.
        let demand = quietly {
            expect(self.subscription == nil, "a second subscription came")
            self.subscription = subscription
            return initialDemand
        }
        if demand > .none { subscription.request(demand) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        quietly {
            expect(hasSubscribed, "a value came before the subscription")
            expect(outstanding > 0, "a value came that was not requested")
            expect(order == .free || ends == 0, "a value came after the end")
            expect(order != .serial || valuesUnderWay == 0, "a value came while another was on its way")
            outstanding -= 1
            valuesUnderWay += 1
            values.append(input)
        }
        schedules_pause()
        quietly { valuesUnderWay -= 1 }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        quietly {
            ends += 1
            expect(hasSubscribed, "the end came before the subscription")
            expect(ends == 1, "a second end came")
            expect(order == .free || valuesUnderWay == 0, "the end came while a value was on its way")
        }
        schedules_pause()
    }

    func request(_ count: Int) {
        let subscription = quietly {
            outstanding += count
            requests += count
            if self.subscription == nil { initialDemand += count }
            return self.subscription
        }
        subscription?.request(.max(count))
    }

    func cancel() {
        // Before there is a subscription, there is nothing to cancel.
        guard let subscription = quietly({ subscription }) else { return }
        subscription.cancel()
        quietly { isCancelled = true }
    }
}

/// Which events may come while another one is on its way.
enum Order {
    /// None.
    case serial
    /// Values, as two threads send them. The end waits for them.
    case endLast
    /// All.
    case free
}
