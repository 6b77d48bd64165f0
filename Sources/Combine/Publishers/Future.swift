/// One result that comes later, from code that knows nothing of publishers. It is kept, so that late subscribers get it.
public final class Future<Output, Failure: Error>: Publisher {
    /// What is called with the result. Only the first call counts.
    public typealias Promise = (Result<Output, Failure>) -> Void

    @usableFromInline let lock = Lock()
    @usableFromInline var subscriptions = SubjectSubscriptions<Inner>.none
    @usableFromInline var result: Result<Output, Failure>?

    /// Begins the work at once, and hands it what it is to call with its result.
    @inlinable
    public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
        attemptToFulfill(fulfill)
    }

    @inlinable
    func fulfill(_ result: Result<Output, Failure>) {
        lock.lock()
        guard self.result == nil else {
            lock.unlock()
            return
        }
        self.result = result
        let subscriptions = self.subscriptions.take()
        lock.unlock()
        switch result {
        case .success(let output): subscriptions.forEach { $0.fulfill(output) }
        case .failure(let error): subscriptions.forEach { $0.finish(.failure(error)) }
        }
    }

    @inlinable
    public func receive<S>(subscriber: S) where Output == S.Input, Failure == S.Failure, S: Subscriber {
        let subscription = Inner(parent: self, erasedSubscriber: ErasedSubscriber(subscriber))
        lock.lock()
        if let result {
            lock.unlock()
            subscriber.receive(subscription: subscription)
            if case .failure(let error) = result {
                subscription.finish(.failure(error))
            }
            return
        }
        subscriptions.append(subscription)
        lock.unlock()
        subscriber.receive(subscription: subscription)
    }

    @inlinable
    var fulfilled: Result<Output, Failure>? {
        lock.lock()
        defer { lock.unlock() }
        return result
    }

    @inlinable
    func remove(_ subscription: Inner) {
        lock.lock()
        subscriptions.remove(subscription)
        lock.unlock()
    }

    @usableFromInline
    final class Inner: SubjectSubscription<Output, Failure>, Subscription, CustomStringConvertible {
        /// Sends the value if it has been asked for. If not, the future keeps it until it is.
        @inlinable
        func fulfill(_ output: Output) {
            lock.lock()
            let isDemanded = demand > .none
            lock.unlock()
            if isDemanded, let erasedSubscriber = release().erasedSubscriber {
                _ = erasedSubscriber.receiveValue(output)
                erasedSubscriber.receive(completion: .finished)
            }
        }

        @usableFromInline
        func request(_ demand: Subscribers.Demand) {
            guard demand > .none else { return }
            lock.lock()
            self.demand += demand
            let parent = self.parent
            lock.unlock()
            // Whoever comes second sends, the result or the request.
            if let parent, case .success(let output)? = unsafeDowncast(parent, to: Future.self).fulfilled {
                fulfill(output)
            }
        }

        @usableFromInline
        func cancel() {
            if let parent = release().parent {
                unsafeDowncast(parent, to: Future.self).remove(self)
            }
        }

        @usableFromInline
        var description: String { "Future" }

        @usableFromInline
        override var customMirror: Mirror {
            lock.lock()
            let (parent, erasedSubscriber, demand) = (self.parent, self.erasedSubscriber, self.demand)
            lock.unlock()
            let children: [Mirror.Child] = [
                ("parent", parent as Any), ("downstream", erasedSubscriber.map { $0.subscriber } as Any),
                ("hasAnyValueBeenDemanded", demand > .none), ("subject", parent as Any),
            ]
            return Mirror(self, children: children)
        }
    }
}
