/// One result that comes later, from code that knows nothing of publishers. It is kept, so that late subscribers get it.
public final class Future<Output, Failure: Error>: Publisher {
    /// What is called with the result. Only the first call counts.
    public typealias Promise = (Result<Output, Failure>) -> Void

    @usableFromInline let lock = Lock()
    @usableFromInline var conduits = Conduits<Output, Failure>.none
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
        let conduits = self.conduits.take()
        lock.unlock()
        switch result {
        case .success(let output): conduits.forEach { $0.offer(output) }
        case .failure(let error): conduits.forEach { $0.finish(.failure(error)) }
        }
    }

    @inlinable
    public func receive<S>(subscriber: S) where Output == S.Input, Failure == S.Failure, S: Subscriber {
        let conduit = Inner(parent: self, downstream: subscriber)
        lock.lock()
        if let result {
            lock.unlock()
            subscriber.receive(subscription: conduit)
            if case .failure(let error) = result {
                conduit.finish(.failure(error))
            }
            return
        }
        conduits.append(conduit)
        lock.unlock()
        subscriber.receive(subscription: conduit)
    }

    @inlinable
    var fulfilled: Result<Output, Failure>? {
        lock.lock()
        defer { lock.unlock() }
        return result
    }

    @inlinable
    func remove(_ conduit: Conduit<Output, Failure>) {
        lock.lock()
        conduits.remove(conduit)
        lock.unlock()
    }

    @usableFromInline
    final class Inner<Downstream: Subscriber>: Conduit<Output, Failure>, Subscription,
        CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
    where Downstream.Input == Output, Downstream.Failure == Failure {
        @usableFromInline let lock = Lock()
        @usableFromInline var parent: Future?
        @usableFromInline var downstream: Downstream?
        @usableFromInline var hasAnyValueBeenDemanded = false

        @inlinable
        init(parent: Future, downstream: Downstream) {
            self.parent = parent
            self.downstream = downstream
            super.init { unsafeDowncast($0, to: Inner<Downstream>.self).take($1) }
        }

        @inlinable
        func take(_ output: Output) {
            lock.lock()
            guard hasAnyValueBeenDemanded, let released = releaseLocked() else {
                // It is kept by the future, and sent when it is asked for.
                lock.unlock()
                return
            }
            lock.unlock()
            send(output, to: released.downstream)
        }

        @inlinable
        override func finish(_ completion: Subscribers.Completion<Failure>) {
            lock.lock()
            let released = releaseLocked()
            lock.unlock()
            released?.downstream.receive(completion: completion)
        }

        @inlinable
        func request(_ demand: Subscribers.Demand) {
            demand.requirePositive()
            lock.lock()
            hasAnyValueBeenDemanded = true
            let parent = self.parent
            lock.unlock()
            // The future's lock is taken outside of this one. Whoever comes second, result or request, sends.
            guard case .success(let output)? = parent?.fulfilled else { return }
            lock.lock()
            let released = releaseLocked()
            lock.unlock()
            if let released {
                send(output, to: released.downstream)
            }
        }

        @inlinable
        func cancel() {
            lock.lock()
            let released = releaseLocked()
            lock.unlock()
            released?.parent?.remove(self)
        }

        @inlinable
        func send(_ output: Output, to downstream: Downstream) {
            _ = downstream.receive(output)
            downstream.receive(completion: .finished)
        }

        @inlinable
        func releaseLocked() -> (downstream: Downstream, parent: Future?)? {
            guard let downstream else { return nil }
            let released = (downstream, parent)
            self.downstream = nil
            parent = nil
            return released
        }

        @usableFromInline
        var description: String { "Future" }

        @usableFromInline
        var customMirror: Mirror {
            lock.lock()
            let (parent, downstream) = (self.parent, self.downstream)
            let hasAnyValueBeenDemanded = self.hasAnyValueBeenDemanded
            lock.unlock()
            let children: [Mirror.Child] = [
                ("parent", parent as Any), ("downstream", downstream as Any),
                ("hasAnyValueBeenDemanded", hasAnyValueBeenDemanded), ("subject", parent as Any),
            ]
            return Mirror(self, children: children)
        }

        @usableFromInline
        var playgroundDescription: Any { description }
    }
}
