/// What an operator makes of one value.
@usableFromInline
enum StepResult<Output, Failure: Error> {
    case pass(Output)
    case skip
    case finish
    case fail(Failure)
}

/// An operator that looks at its values one at a time, and may pass, skip, or end with any of them.
@usableFromInline
protocol ValueStep<Input, Output> {
    associatedtype Input
    associatedtype Output
    associatedtype UpstreamFailure: Error
    associatedtype Failure: Error

    static var name: String { get }

    /// Values come one after the other, so that what is remembered between them needs no lock.
    mutating func step(_ input: Input) -> StepResult<Output, Failure>

    func failure(_ upstreamFailure: UpstreamFailure) -> Failure

    /// What the stage's mirror shows in addition to its downstream.
    func children(status: String) -> [Mirror.Child]
}

extension ValueStep {
    @inlinable
    func children(status: String) -> [Mirror.Child] { [] }
}

extension ValueStep where Failure == UpstreamFailure {
    @inlinable
    func failure(_ upstreamFailure: UpstreamFailure) -> Failure { upstreamFailure }
}

extension ValueStep where Failure == any Error {
    @inlinable
    func failure(_ upstreamFailure: UpstreamFailure) -> Failure { upstreamFailure }
}

extension StepResult where Failure == any Error {
    /// What a throwing step makes of a value.
    @inline(__always)
    @inlinable
    init(_ step: () throws -> StepResult) {
        do {
            self = try step()
        } catch {
            self = .fail(error)
        }
    }
}

/// The stage of every operator that is a value step.
@usableFromInline
final class ValueStepStage<Downstream: Subscriber, Step: ValueStep>: SingleUpstreamStage, Subscriber, Subscription,
    CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
where Downstream.Input == Step.Output, Downstream.Failure == Step.Failure {
    @usableFromInline
    typealias Input = Step.Input
    @usableFromInline
    typealias Failure = Step.UpstreamFailure

    @usableFromInline let downstream: Downstream
    @usableFromInline let showsDownstream: Bool
    @usableFromInline var step: Step

    @inlinable
    init(_ step: Step, downstream: Downstream, showsDownstream: Bool = true) {
        self.step = step
        self.downstream = downstream
        self.showsDownstream = showsDownstream
    }

    @inlinable
    func receive(subscription: any Subscription) {
        guard connect(subscription) else { return }
        downstream.receive(subscription: self)
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
        guard isConnected else { return .none }
        switch step.step(input) {
        case .pass(let output):
            return downstream.receive(output)
        case .skip:
            return .max(1)
        case .finish:
            if endAndCancel() {
                downstream.receive(completion: .finished)
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
        downstream.receive(completion: completion.mapError(step.failure))
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        subscription?.request(demand)
    }

    @inlinable
    func cancel() {
        endAndCancel()
    }

    @usableFromInline
    var description: String { Step.name }

    @usableFromInline
    var customMirror: Mirror {
        let children: [Mirror.Child] =
            (showsDownstream ? [("downstream", downstream)] : [])
            + step.children(status: isConnected ? "subscribed" : "not subscribed")
        return Mirror(self, children: children)
    }

    @usableFromInline
    var playgroundDescription: Any { description }
}
