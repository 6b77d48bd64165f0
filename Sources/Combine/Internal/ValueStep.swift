/// What an operator makes of one value.
@usableFromInline
enum StepResult<Output> {
    case pass(Output)
    case skip
    case finish
}

/// An operator that looks at its values one at a time, and may pass, skip, or end with any of them. One that cannot throw
/// has the upstream's failure.
@usableFromInline
protocol ValueStep {
    associatedtype Upstream: Publisher
    associatedtype Output
    associatedtype Failure: Error

    var name: String { get }

    /// Whether it is one of those operators which trap where something comes, or is asked for, before the subscription,
    /// and which end where they are cancelled then. Others ignore that.
    static var isFilter: Bool { get }

    /// Whether values pass before the subscription and after the end too, as they do in Apple's `tryMap` and `tryScan`.
    static var passesAlways: Bool { get }

    /// Whether each error that is thrown goes down, also before the subscription and after the end: Apple's `tryMap`.
    static var failsAlways: Bool { get }

    /// Whether a value may be the end, since it is refused or throws.
    static var mayEnd: Bool { get }

    /// Stops the program at a demand that this operator may not be given.
    static func check(_ demand: Subscribers.Demand)

    /// Several threads may call it at the same time. A step that remembers something for the next value is a class.
    func step(_ input: Upstream.Output) throws(Failure) -> StepResult<Output>

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

    /// What cannot throw has the upstream's failure. That may be any error too, and then it counts as what may throw.
    @inlinable
    static var mayEnd: Bool { Failure.self == (any Error).self }

    @inlinable
    static func check(_ demand: Subscribers.Demand) {}

    @inlinable
    func children(status: String) -> [Mirror.Child] { [] }
}

/// The stage of every operator that is a value step.
@usableFromInline
final class ValueStepStage<Downstream: Subscriber, Step: ValueStep>: EndingStage<Downstream>, SingleUpstreamSubscription
where Downstream.Input == Step.Output, Downstream.Failure == Step.Failure {
    @usableFromInline
    typealias Input = Step.Upstream.Output
    @usableFromInline
    typealias Failure = Step.Upstream.Failure

    @usableFromInline let failure: (Failure) -> Step.Failure
    @usableFromInline let showsDownstream: Bool
    @usableFromInline let step: Step

    @inlinable
    init(
        _ step: Step, downstream: Downstream, showsDownstream: Bool, failure: @escaping (Failure) -> Step.Failure
    ) {
        self.step = step
        self.showsDownstream = showsDownstream
        self.failure = failure
        super.init(downstream: downstream)
    }

    @inlinable
    convenience init(_ step: Step, downstream: Downstream, showsDownstream: Bool = true)
    where Step.Failure == Step.Upstream.Failure {
        self.init(step, downstream: downstream, showsDownstream: showsDownstream) { $0 }
    }

    @inlinable
    convenience init(_ step: Step, downstream: Downstream, showsDownstream: Bool = true)
    where Step.Failure == any Error {
        self.init(step, downstream: downstream, showsDownstream: showsDownstream) { $0 }
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
        Step.mayEnd ? handDown { pass(input) } : pass(input)
    }

    @inline(__always)
    @inlinable
    func pass(_ input: Input) -> Subscribers.Demand {
        guard Step.passesAlways || isConnected else {
            checkConnection()
            return .none
        }
        do throws(Step.Failure) {
            switch try step.step(input) {
            case .pass(let output):
                return downstream.receive(output)
            case .skip:
                return .max(1)
            case .finish:
                if endAndCancel() {
                    finish(.finished)
                }
            }
        } catch {
            if endAndCancel() {
                finish(.failure(error))
            } else if Step.failsAlways, !completionWaits {
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
        finish(completion.mapError(failure))
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
    override func cancel() {
        if Step.isFilter {
            endEvenAwaiting(cancelling: true)
            withdrawCompletion()
        } else {
            super.cancel()
        }
    }

    @inlinable
    func checkConnection() {
        if Step.isFilter, isAwaiting {
            misuse("An operator must have its subscription before anything else comes or is asked for.")
        }
    }

    @usableFromInline
    var description: String { step.name }

    @usableFromInline
    var mirrorChildren: [Mirror.Child] {
        (showsDownstream ? [("downstream", downstream)] : [])
            + step.children(status: isConnected ? "subscribed" : "not subscribed")
    }
}
