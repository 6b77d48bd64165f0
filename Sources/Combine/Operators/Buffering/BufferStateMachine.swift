/// Where a `buffer` stands: what it keeps, and which call sends it. One call at a time sends, so that the order is kept.
@usableFromInline
struct BufferStateMachine<Input, Failure: Error> {
    @usableFromInline
    enum State {
        case awaiting
        case connected(any Subscription)
        /// The completion has come, or a full buffer has failed. It goes downstream after the values.
        case finishing(any Subscription, Subscribers.Completion<Failure>)
        case ended
    }

    @usableFromInline
    enum ValueAction {
        case ignore
        /// It goes down at once, and what is kept then with it.
        case send
        /// It is kept, or lost, or another is lost for it. What is lost is let go of.
        case keep(lost: Input?)
        /// The buffer is full and fails for it.
        case fail
    }

    @usableFromInline
    enum SendAction {
        case send(Input)
        /// `complete` says how.
        case complete
        case stop
    }

    @usableFromInline let size: Int
    @usableFromInline let whenFull: Publishers.BufferingStrategy<Failure>
    @usableFromInline var state = State.awaiting
    @usableFromInline var values = Queue<Input>()
    @usableFromInline var demand = Subscribers.Demand.none
    @usableFromInline var isSending = false
    // What values and their sender look at, so that they need not look into the state.
    @usableFromInline var acceptsValues = false
    @usableFromInline var isFinishing = false

    @inlinable
    init(size: Int, whenFull: Publishers.BufferingStrategy<Failure>) {
        self.size = size
        self.whenFull = whenFull
    }

    /// The upstream's subscription, until the end has been sent.
    @inlinable
    var subscription: (any Subscription)? {
        switch state {
        case .connected(let subscription), .finishing(let subscription, _): subscription
        case .awaiting, .ended: nil
        }
    }

    @inlinable
    var completion: Subscribers.Completion<Failure>? {
        if case .finishing(_, let completion) = state { completion } else { nil }
    }

    /// Returns whether the subscription is taken.
    @inlinable
    mutating func receive(_ subscription: any Subscription) -> Bool {
        guard case .awaiting = state else { return false }
        state = .connected(subscription)
        acceptsValues = true
        return true
    }

    @inlinable
    mutating func receive(_ input: Input) -> ValueAction {
        guard acceptsValues else { return .ignore }
        if demand > .none, values.isEmpty, !isSending {
            demand -= 1
            isSending = true
            return .send
        }
        guard values.count >= size else {
            values.append(input)
            return .keep(lost: nil)
        }
        switch whenFull {
        case .dropNewest:
            return .ignore
        case .dropOldest:
            let lost = values.popFirst()
            if size > 0 {
                values.append(input)
            }
            return .keep(lost: lost)
        case .customError:
            return .fail
        }
    }

    /// Notes how it ends. Returns whether that is new.
    @inlinable
    mutating func end(_ completion: Subscribers.Completion<Failure>) -> Bool {
        guard case .connected(let subscription) = state else { return false }
        state = .finishing(subscription, completion)
        isFinishing = true
        // Apple's keeps what comes after the end has come, until that is sent.
        if case .failure = completion {
            acceptsValues = false
        }
        return true
    }

    /// Returns false where another call sends already. That call handles what has changed.
    @inlinable
    mutating func beginSending() -> Bool {
        !exchange(&isSending, with: true)
    }

    /// Returns what the call that has begun sends next, after what downstream has asked for meanwhile is counted. The values
    /// go while there is demand. `finished` goes once nothing is kept, and as in Apple's only while there is demand;
    /// a failure as soon as there is no demand, and what is kept is lost.
    @inlinable
    mutating func next(adding more: Subscribers.Demand) -> SendAction {
        demand += more
        if demand > .none, let value = values.popFirst() {
            demand -= 1
            return .send(value)
        }
        isSending = false
        guard isFinishing else { return .stop }
        return demand == .none && acceptsValues ? .stop : .complete
    }

    /// Returns whether the demand counts.
    @inlinable
    mutating func request(_ more: Subscribers.Demand) -> (any Subscription)? {
        guard let subscription else { return nil }
        demand += more
        return subscription
    }

    /// Returns what the end lets go of. Without a subscription it goes on, and cancels nothing.
    @inlinable
    mutating func cancel() -> BufferStateMachine {
        let released = self
        if subscription != nil {
            state = .ended
            values = Queue()
            acceptsValues = false
            isFinishing = false
        }
        return released
    }
}
