/// One result that comes later, from code that knows nothing of publishers. It is kept, so that late subscribers get it.
public final class Future<Output, Failure: Error>: Publisher {
    /// What is called with the result. Only the first call counts.
    public typealias Promise = (Result<Output, Failure>) -> Void

    @usableFromInline let lock = Lock()
    @usableFromInline @exclusivity(unchecked) var subscriptions = SubjectSubscriptions()
    @usableFromInline var result: Result<Output, Failure>?

    /// Begins the work at once, and hands it what it is to call with its result.
    @inlinable
    public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
        attemptToFulfill(fulfill)
    }

    @inlinable
    func fulfill(_ result: Result<Output, Failure>) {
        let subscriptions = lock {
            guard self.result == nil else { return SubjectSubscriptions.Storage.none }
            self.result = result
            return self.subscriptions.take()
        }
        subscriptions.forEach { unsafeDowncast($0, to: Inner.self).fulfill(result) }
    }

    @inlinable
    public func receive<S>(subscriber: S) where Output == S.Input, Failure == S.Failure, S: Subscriber {
        let subscription = Inner(parent: self, erasedSubscriber: .erasing(subscriber))
        lock.lock()
        if let result {
            lock.unlock()
            subscriber.receive(subscription: subscription)
            if case .failure = result {
                subscription.fulfill(result)
            }
            return
        }
        let entry = subscription.turn.enter()
        subscriptions.append(subscription)
        lock.unlock()
        subscriber.receive(subscription: subscription)
        subscription.lock { subscription.turn.leave(entry) }
        if let fulfilled {
            subscription.fulfill(fulfilled)
        }
    }

    @inlinable
    var fulfilled: Result<Output, Failure>? { lock { result } }

    @inlinable
    func remove(_ subscription: Inner) {
        lock { subscriptions.remove(subscription) }
    }

    @usableFromInline
    final class Inner: SubjectSubscription<Output, Failure>, Subscription, StageDescription {
        /// Sends the failure, or the value if it has been asked for. If not, the future keeps it until it is.
        @inlinable
        func fulfill(_ result: Result<Output, Failure>, isLate: Bool = false) {
            lock.lock()
            // The result must not come before the subscription.
            guard !turn.isTakenByOther() else { return lock.unlock() }
            if case .success = result, demand == .none {
                lock.unlock()
                return
            }
            let erasedSubscriber = self.erasedSubscriber.take()
            lock.unlock()
            guard let erasedSubscriber else { return }
            switch result {
            case .success(let output):
                _ = erasedSubscriber.receive(output)
                erasedSubscriber.receive(completion: .finished)
            case .failure(let error):
                erasedSubscriber.receive(completion: .failure(error))
            }
            // The future stays until its subscriber has received the end, and in Apple's for good where the value was there
            // before it was asked for.
            if !isLate {
                _ = release()
            }
        }

        @usableFromInline
        func request(_ demand: Subscribers.Demand) {
            demand.requireSome()
            let parent = lock {
                self.demand += demand
                return self.parent
            }
            // The second of the two sends: the result or the request.
            if let parent, let result = unsafeDowncast(parent, to: Future.self).fulfilled, case .success = result {
                fulfill(result, isLate: true)
            }
        }

        @usableFromInline
        func cancel() {
            cancel { unsafeDowncast($0, to: Future.self).remove(self) }
        }

        @usableFromInline
        var description: String { "Future" }

        @usableFromInline
        override var mirrorChildren: [Mirror.Child] {
            let (parent, erasedSubscriber, demand) = lock { (self.parent, self.erasedSubscriber, self.demand) }
            return [
                ("parent", parent as Any), ("downstream", erasedSubscriber.map { $0.subscriber } as Any),
                ("hasAnyDemand", demand > .none), ("subject", parent as Any),
            ]
        }
    }
}
