/// Stands between a publisher and the tasks that await its values: each asks for one value.
///
/// Sendable because its lock guards all that changes; values go from the publisher to the task that awaits them.
final class ValueInbox<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
    private let lock = Lock()
    private var state = Connection.awaiting
    /// What is asked for before there is a subscription.
    private var early = Subscribers.Demand.none
    private var waiting = Queue<UnsafeContinuation<Result<Input?, Failure>, Never>>()
    /// The failure, until it has been taken.
    private var failure: Failure?

    deinit {
        state.subscription?.cancel()
    }

    func receive(subscription: any Subscription) {
        let demand: Subscribers.Demand? = lock {
            guard state.receive(subscription) == .announce else { return nil }
            return exchange(&early, with: .none)
        }
        guard let demand else { return subscription.cancel() }
        if demand > .none {
            subscription.request(demand)
        }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        lock.lock()
        switch state {
        case .awaiting:
            // Apple's loses a value that comes before the subscription, and lets go of the tasks that wait.
            let waiting = exchange(&self.waiting, with: Queue())
            lock.unlock()
            for continuation in waiting {
                continuation.resume(returning: .success(nil))
            }
        case .connected:
            guard let continuation = waiting.popFirst() else {
                misuse("A publisher must not send more values than it was asked for.")
            }
            lock.unlock()
            continuation.resume(returning: .success(input))
        case .ended:
            lock.unlock()
        }
        return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
        lock.lock()
        let released = state.end()
        let first = waiting.popFirst()
        let rest = exchange(&waiting, with: Queue())
        switch completion {
        case .finished:
            lock.unlock()
            first?.resume(returning: .success(nil))
        case .failure(let error):
            if first == nil {
                failure = error
            }
            lock.unlock()
            first?.resume(returning: .failure(error))
        }
        _ = released
        for continuation in rest {
            continuation.resume(returning: .success(nil))
        }
    }

    func cancel() {
        let released = lock { (state.end(), exchange(&waiting, with: Queue()), failure.take()) }
        for continuation in released.1 {
            continuation.resume(returning: .success(nil))
        }
        released.0.subscription?.cancel()
    }

    func next() async -> Result<Input?, Failure> {
        await withTaskCancellationHandler {
            await withUnsafeContinuation(wait)
        } onCancel: {
            cancel()
        }
    }

    private func wait(_ continuation: UnsafeContinuation<Result<Input?, Failure>, Never>) {
        lock.lock()
        switch state {
        case .awaiting:
            waiting.append(continuation)
            early += 1
            lock.unlock()
        case .connected(let subscription):
            waiting.append(continuation)
            lock.unlock()
            subscription.request(.max(1))
        case .ended:
            let failure = self.failure.take()
            lock.unlock()
            continuation.resume(returning: failure.map { .failure($0) } ?? .success(nil))
        }
    }
}
