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

    /// Whether it is one of those operators which trap where something comes, or is asked for, before the subscription,
    /// and which end where they are cancelled then. Others ignore that.
    static var isFilter: Bool { get }

    /// Whether values pass before the subscription and after the end too, as they do in Apple's `tryMap` and `tryScan`.
    static var passesAlways: Bool { get }

    /// Whether each error that is thrown goes down, also before the subscription and after the end: Apple's `tryMap`.
    static var failsAlways: Bool { get }

    /// Stops the program at a demand that this operator may not be given.
    static func check(_ demand: Subscribers.Demand)

    /// Values come one after the other, so that what is remembered between them needs no lock.
    mutating func step(_ input: Input) -> StepResult<Output, Failure>

    func failure(_ upstreamFailure: UpstreamFailure) -> Failure

    /// What the stage's mirror shows in addition to its downstream.
    func children(status: String) -> [Mirror.Child]
}

extension ValueStep {
    @inlinable
    static var isFilter: Bool { true }

    @inlinable
    static var passesAlways: Bool { false }

    @inlinable
    static var failsAlways: Bool { false }

    @inlinable
    static func check(_ demand: Subscribers.Demand) {}

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
    StageDescription
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
        guard Step.passesAlways || isConnected else {
            checkConnection()
            return .none
        }
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
            if endAndCancel() || Step.failsAlways {
                downstream.receive(completion: .failure(error))
            }
        }
        return .none
    }

    @inlinable
    func receive(completion: Subscribers.Completion<Failure>) {
        guard end() else {
            checkConnection()
            return
        }
        downstream.receive(completion: completion.mapError(step.failure))
    }

    @inlinable
    func request(_ demand: Subscribers.Demand) {
        Step.check(demand)
        guard let subscription else {
            checkConnection()
            return
        }
        subscription.request(demand)
    }

    @inlinable
    func cancel() {
        if Step.isFilter {
            endEvenAwaiting(cancelling: true)
        } else {
            endAndCancel()
        }
    }

    @inlinable
    func checkConnection() {
        if Step.isFilter, isAwaiting {
            misuse("An operator must have its subscription before anything else comes or is asked for.")
        }
    }

    @usableFromInline
    var description: String { Step.name }

    @usableFromInline
    var mirrorChildren: [Mirror.Child] {
        (showsDownstream ? [("downstream", downstream)] : [])
            + step.children(status: isConnected ? "subscribed" : "not subscribed")
    }
}
