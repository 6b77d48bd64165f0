/// What an operator says after it has looked at one value.
enum Folded<Failure: Error> {
    case goOn
    /// The result is known before the end.
    case finish
    case fail(Failure)
}

extension Folded where Failure == any Error {
    /// What a throwing step makes of a value.
    @inline(__always)
    init(_ step: () throws -> Folded) {
        do {
            self = try step()
        } catch {
            self = .fail(error)
        }
    }
}

/// An operator that makes one result of all values.
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
}

extension Fold where Failure == UpstreamFailure {
    func failure(_ upstreamFailure: UpstreamFailure) -> Failure { upstreamFailure }
}

extension Fold where Failure == any Error {
    func failure(_ upstreamFailure: UpstreamFailure) -> Failure { upstreamFailure }
}

/// The stage of every operator that is a fold. It asks upstream for everything, and keeps the result until it is asked
/// for.
final class FoldStage<Downstream: Subscriber, Step: Fold>: OneUpstream, Subscriber, Subscription,
    CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
where Downstream.Input == Step.Output, Downstream.Failure == Step.Failure {
    typealias Input = Step.Input
    typealias Failure = Step.UpstreamFailure

    private let downstream: Downstream
    private let initial: Step.Output?
    private var step: Step
    private var isRequested = false
    /// There is a result, and nobody asked for it.
    private var isWaiting = false

    init(_ step: Step, downstream: Downstream) {
        self.step = step
        self.downstream = downstream
        initial = step.result
    }

    func receive(subscription: any Subscription) {
        guard connect(subscription) else { return }
        downstream.receive(subscription: self)
        subscription.request(.unlimited)
    }

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

    func receive(completion: Subscribers.Completion<Failure>) {
        guard end() else { return }
        switch completion {
        case .finished: finish()
        case .failure(let error): downstream.receive(completion: .failure(step.failure(error)))
        }
    }

    private func finish() {
        guard let result = step.result else {
            downstream.receive(completion: .finished)
            return
        }
        lock.lock()
        guard isRequested else {
            isWaiting = true
            lock.unlock()
            return
        }
        lock.unlock()
        send(result)
    }

    private func send(_ result: Step.Output) {
        _ = downstream.receive(result)
        downstream.receive(completion: .finished)
    }

    func request(_ demand: Subscribers.Demand) {
        demand.requirePositive()
        lock.lock()
        isRequested = true
        let mustSend = isWaiting
        isWaiting = false
        lock.unlock()
        if mustSend, let result = step.result {
            send(result)
        }
    }

    func cancel() {
        lock.lock()
        isWaiting = false
        lock.unlock()
        endAndCancel()
    }

    var description: String { Step.name }

    var customMirror: Mirror {
        let children: [Mirror.Child] = [
            ("downstream", downstream), ("result", step.result as Any), ("initial", initial as Any),
            ("status", isConnected ? "subscribed" : "not subscribed"),
        ]
        return Mirror(self, children: children)
    }

    var playgroundDescription: Any { description }
}
