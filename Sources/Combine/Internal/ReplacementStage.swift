/// A stage that sends a value of its own at its end, as soon as one is asked for.
@usableFromInline
class ReplacementStage<Downstream: Subscriber>: SingleUpstreamStage {
    @usableFromInline final let downstream: Downstream
    @usableFromInline final let output: Downstream.Input
    @usableFromInline final var demand = Subscribers.Demand.none
    @usableFromInline final var isCancelled = false
    /// The replacement is due, and there is no demand for it yet.
    @usableFromInline final var isWaiting = false

    @inlinable
    init(downstream: Downstream, output: Downstream.Input) {
        self.downstream = downstream
        self.output = output
    }

    /// Sends the replacement, now or when there is demand.
    @inlinable
    final func replace() {
        let isWanted = lock {
            if isCancelled { return false }
            isWaiting = demand == .none
            return !isWaiting
        }
        if isWanted {
            sendReplacement()
        }
    }

    @inlinable
    final func sendReplacement() {
        _ = downstream.receive(output)
        downstream.receive(completion: .finished)
    }

    /// Sends the replacement where it waits, and asks upstream where it does not.
    @inlinable
    final func requestOrReplace(_ demand: Subscribers.Demand) {
        let mustSend = lock {
            self.demand += demand
            return exchange(&isWaiting, with: false)
        }
        if mustSend {
            sendReplacement()
        } else {
            subscription?.request(demand)
        }
    }

    @inlinable
    final func cancel() {
        lock {
            isCancelled = true
            isWaiting = false
        }
        endAndCancel()
    }
}
