/// The stage of `encode` and `decode`: each value becomes another, or the end.
final class CodingStage<Input, UpstreamFailure: Error, Downstream: Subscriber>: EndingStage<Downstream>,
    SingleUpstreamSubscription
where Downstream.Failure == any Error {
    typealias Failure = UpstreamFailure

    let description: String
    private let code: (Input) throws -> Downstream.Input

    init(_ description: String, _ code: @escaping (Input) throws -> Downstream.Input, _ downstream: Downstream) {
        self.description = description
        self.code = code
        super.init(downstream: downstream)
    }

    func receive(_ input: Input) -> Subscribers.Demand { handDown { pass(input) } }

    private func pass(_ input: Input) -> Subscribers.Demand {
        // Apple's codes also what comes before the subscription.
        guard !isEnded else { return .none }
        let output: Downstream.Input
        do {
            output = try code(input)
        } catch {
            if endEvenAwaiting(cancelling: true) { finish(.failure(error)) }
            return .none
        }
        return downstream.receive(output)
    }

    func receive(completion: Subscribers.Completion<UpstreamFailure>) {
        guard endEvenAwaiting(cancelling: false) else { return }
        finish(completion.eraseError())
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        subscription?.request(demand)
    }

    var mirrorChildren: [Mirror.Child] {
        let subscription = self.subscription
        return [("downstream", downstream), ("finished", isEnded), ("upstreamSubscription", subscription as Any)]
    }
}
