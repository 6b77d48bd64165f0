/// What an operator says after it has looked at one value.
@usableFromInline
enum Folded {
    case goOn
    /// The result is known before the end.
    case finish
}

/// An operator that makes one result of all values. A step that cannot throw has the upstream's failure.
@usableFromInline
protocol Fold {
    associatedtype Upstream: Publisher
    associatedtype Output
    associatedtype Failure: Error

    var name: String { get }

    /// The result so far; nil where the values so far make no result.
    var result: Output? { get }

    /// Values come one after the other, so that what is remembered between them needs no lock.
    mutating func fold(_ input: Upstream.Output) throws(Failure) -> Folded

    /// What the stage's mirror shows, where it is not what all folds show.
    var children: [Mirror.Child]? { get }
}

extension Fold {
    @inlinable
    var children: [Mirror.Child]? { nil }
}

/// The stage of every operator that is a fold. It asks upstream for everything, and keeps the result until it is asked
/// for. The end waits with it, also where there is no result: that is how Apple's do it.
@usableFromInline
final class FoldStage<Downstream: Subscriber, Step: Fold>: SingleUpstreamStage, Subscriber, Subscription,
    StageDescription
where Downstream.Input == Step.Output, Downstream.Failure == Step.Failure {
    @usableFromInline
    typealias Input = Step.Upstream.Output
    @usableFromInline
    typealias Failure = Step.Upstream.Failure

    @usableFromInline let downstream: Downstream
    @usableFromInline let failure: (Failure) -> Step.Failure
    @usableFromInline let initial: Step.Output?
    @usableFromInline var step: Step
    @usableFromInline var isRequested = false
    /// All values have come, and no demand for the result yet.
    @usableFromInline var isWaiting = false
    @usableFromInline var isCancelled = false

    @inlinable
    init(_ step: Step, downstream: Downstream, failure: @escaping (Failure) -> Step.Failure) {
        self.step = step
        self.downstream = downstream
        self.failure = failure
        initial = step.result
    }

    @inlinable
    convenience init(_ step: Step, downstream: Downstream) where Step.Failure == Step.Upstream.Failure {
        self.init(step, downstream: downstream) { $0 }
    }

    @inlinable
    convenience init(_ step: Step, downstream: Downstream) where Step.Failure == any Error {
        self.init(step, downstream: downstream) { $0 }
    }

    @inlinable
    func receive(subscription: any Subscription) {
        guard connect(subscription) else { return }
        downstream.receive(subscription: self)
        subscription.request(.unlimited)
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
        guard isConnected else { return .none }
        do throws(Step.Failure) {
            if try step.fold(input) == .finish, endAndCancel() {
                finish()
            }
        } catch {
            if endAndCancel() {
                downstream.receive(completion: .failure(error))
            }
        }
        return .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Failure>) {
        guard end() else { return }
        switch completion {
        case .finished: finish()
        case .failure(let error): downstream.receive(completion: .failure(failure(error)))
        }
    }

    @inlinable
    func finish() {
        lock.lock()
        guard isRequested, !isCancelled else {
            isWaiting = !isCancelled
            lock.unlock()
            return
        }
        lock.unlock()
        send()
    }

    @inlinable
    func send() {
        if let result = step.result {
            _ = downstream.receive(result)
        }
        downstream.receive(completion: .finished)
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        lock.lock()
        isRequested = true
        let mustSend = isWaiting
        isWaiting = false
        lock.unlock()
        if mustSend {
            send()
        }
    }

    @inlinable
    func cancel() {
        lock {
            isCancelled = true
            isWaiting = false
        }
        endAndCancel()
    }

    @usableFromInline
    var description: String { step.name }

    @usableFromInline
    var mirrorChildren: [Mirror.Child] {
        step.children ?? [
            ("downstream", downstream), ("result", step.result as Any), ("initial", initial as Any),
            ("status", isConnected ? "subscribed" : "not subscribed"),
        ]
    }
}
