/// What an operator makes of one value.
enum Sifted<Output, Failure: Error> {
    case pass(Output)
    case skip
    case finish
    case fail(Failure)
}

/// An operator that looks at its values one at a time, and may pass, skip, or end with any of them.
protocol Sieve<Input, Output> {
    associatedtype Input
    associatedtype Output
    associatedtype UpstreamFailure: Error
    associatedtype Failure: Error

    static var name: String { get }

    /// Values come one after the other, so that what is remembered between them needs no lock.
    mutating func sift(_ input: Input) -> Sifted<Output, Failure>

    func failure(_ upstreamFailure: UpstreamFailure) -> Failure

    /// What the stage's mirror shows besides its downstream.
    var children: [Mirror.Child] { get }
}

extension Sieve {
    var children: [Mirror.Child] { [] }
}

extension Sieve where Failure == UpstreamFailure {
    func failure(_ upstreamFailure: UpstreamFailure) -> Failure { upstreamFailure }
}

extension Sieve where Failure == any Error {
    func failure(_ upstreamFailure: UpstreamFailure) -> Failure { upstreamFailure }
}

extension Sifted where Failure == any Error {
    /// What a throwing step makes of a value.
    @inline(__always)
    init(_ step: () throws -> Sifted) {
        do {
            self = try step()
        } catch {
            self = .fail(error)
        }
    }
}

/// The stage of every operator that is a sieve.
final class SieveStage<Downstream: Subscriber, Step: Sieve>: OneUpstream, Subscriber, Subscription,
    CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
where Downstream.Input == Step.Output, Downstream.Failure == Step.Failure {
    typealias Input = Step.Input
    typealias Failure = Step.UpstreamFailure

    private let downstream: Downstream
    private let showsDownstream: Bool
    private var step: Step

    init(_ step: Step, downstream: Downstream, showsDownstream: Bool = true) {
        self.step = step
        self.downstream = downstream
        self.showsDownstream = showsDownstream
    }

    func receive(subscription: any Subscription) {
        guard connect(subscription) else { return }
        downstream.receive(subscription: self)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
        guard isConnected else { return .none }
        switch step.sift(input) {
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

    func receive(completion: Subscribers.Completion<Failure>) {
        guard end() else { return }
        downstream.receive(completion: completion.mapError(step.failure))
    }

    func request(_ demand: Subscribers.Demand) {
        subscription?.request(demand)
    }

    func cancel() {
        endAndCancel()
    }

    var description: String { Step.name }

    var customMirror: Mirror {
        let children: [Mirror.Child] = (showsDownstream ? [("downstream", downstream)] : []) + step.children
        return Mirror(self, children: children)
    }

    var playgroundDescription: Any { description }
}
