/// What an operator says after it has looked at one value.
@usableFromInline
enum Folded<Failure: Error> {
    case goOn
    /// The result is known before the end.
    case finish
    case fail(Failure)
}

extension Folded where Failure == any Error {
    /// What a throwing step makes of a value.
    @inline(__always)
    @inlinable
    init(_ step: () throws -> Folded) {
        do {
            self = try step()
        } catch {
            self = .fail(error)
        }
    }
}

/// An operator that makes one result of all values.
@usableFromInline
protocol Fold<Input, Output> {
    associatedtype Input
    associatedtype Output
    associatedtype UpstreamFailure: Error
    associatedtype Failure: Error

    static var name: String { get }

    /// The result so far; nil where there would be none.
    var result: Output? { get }

    /// Values come one after the other, so that what is remembered between them needs no lock.
    mutating func fold(_ input: Input) -> Folded<Failure>

    func failure(_ upstreamFailure: UpstreamFailure) -> Failure

    /// What the stage's mirror shows, where it is not what all folds show.
    var children: [Mirror.Child]? { get }
}

extension Fold {
    @inlinable
    var children: [Mirror.Child]? { nil }
}

extension Fold where Failure == UpstreamFailure {
    @inlinable
    func failure(_ upstreamFailure: UpstreamFailure) -> Failure { upstreamFailure }
}

extension Fold where Failure == any Error {
    @inlinable
    func failure(_ upstreamFailure: UpstreamFailure) -> Failure { upstreamFailure }
}

/// The stage of every operator that is a fold. It asks upstream for everything, and keeps the result until it is asked
/// for. The end waits with it, also where there is no result: that is how Apple's do it.
@usableFromInline
final class FoldStage<Downstream: Subscriber, Step: Fold>: SingleUpstreamStage, Subscriber, Subscription,
    StageDescription
where Downstream.Input == Step.Output, Downstream.Failure == Step.Failure {
    @usableFromInline
    typealias Input = Step.Input
    @usableFromInline
    typealias Failure = Step.UpstreamFailure

    @usableFromInline let downstream: Downstream
    @usableFromInline let initial: Step.Output?
    @usableFromInline var step: Step
    @usableFromInline var isRequested = false
    /// All values have come, and no demand for the result yet.
    @usableFromInline var isWaiting = false

    @inlinable
    init(_ step: Step, downstream: Downstream) {
        self.step = step
        self.downstream = downstream
        initial = step.result
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
        switch step.fold(input) {
        case .goOn:
            break
        case .finish:
            if endAndCancel() {
                finish()
            }
        case .fail(let error):
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
        case .failure(let error): downstream.receive(completion: .failure(step.failure(error)))
        }
    }

    @inlinable
    func finish() {
        lock.lock()
        guard isRequested else {
            isWaiting = true
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
        lock.lock()
        isWaiting = false
        lock.unlock()
        endAndCancel()
    }

    @usableFromInline
    var description: String { Step.name }

    @usableFromInline
    var mirrorChildren: [Mirror.Child] {
        step.children ?? [
            ("downstream", downstream), ("result", step.result as Any), ("initial", initial as Any),
            ("status", isConnected ? "subscribed" : "not subscribed"),
        ]
    }
}
