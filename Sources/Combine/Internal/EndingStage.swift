import Synchronization

/// The base class of the stages between two others that may end by themselves. Their end goes down after the values that
/// other threads are handing down at that moment.
@usableFromInline
class EndingStage<Downstream: Subscriber>: SingleUpstreamStage {
    // Before what has a type that is not known when the module is compiled: its place is then known.
    @usableFromInline final let calls = Atomic(DownstreamCalls())
    @usableFromInline final let downstream: Downstream
    /// How it ends, from when that is known until it is sent.
    @usableFromInline final var completion: Subscribers.Completion<Downstream.Failure>?

    @inlinable
    init(downstream: Downstream) {
        self.downstream = downstream
    }

    /// Runs what may hand down one value. Whether it may is asked inside: the end waits from the beginning of this.
    @inline(__always)
    @inlinable
    final func handDown(_ body: () -> Subscribers.Demand) -> Subscribers.Demand {
        let entry = calls.update { $0.begin() }
        let more = body()
        if calls.update({ $0.end(entry) }) {
            sendCompletion()
        }
        return more
    }

    /// Sends the completion as soon as it may go down. Only the call that has ended the stage does so.
    @inlinable
    final func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
        self.completion = completion
        if calls.update({ $0.finish() }) {
            sendCompletion()
        }
    }

    @inlinable
    final func sendCompletion() {
        if let completion = completion.take() {
            downstream.receive(completion: completion)
        }
    }

    @inlinable
    final var completionWaits: Bool { calls.load(ordering: .acquiring).endWaits }

    @inlinable
    func cancel() {
        endAndCancel()
        withdrawCompletion()
    }

    /// A completion that has not been sent is not sent any more.
    @inlinable
    final func withdrawCompletion() {
        if calls.update({ $0.withdrawEnd() }) {
            completion = nil
        }
    }
}
