import Combine
import Testing

extension Publisher {
    /// Passes everything on, and checks with each event that the contract between publisher and subscriber is kept:
    /// one subscription, never a value without demand, nothing after the end or after a cancel.
    func watched(sourceLocation: SourceLocation = #_sourceLocation) -> Watched<Self> {
        Watched(upstream: self, sourceLocation: sourceLocation)
    }
}

struct Watched<Upstream: Publisher>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure

    let upstream: Upstream
    let sourceLocation: SourceLocation

    func receive<S>(subscriber: S) where S: Subscriber, Output == S.Input, Failure == S.Failure {
        upstream.subscribe(Watch(downstream: subscriber, sourceLocation: sourceLocation))
    }

    private final class Watch<Downstream: Subscriber>: Subscriber, Subscription, CustomStringConvertible {
        private let downstream: Downstream
        private let sourceLocation: SourceLocation
        private var upstream: (any Subscription)?
        private var demand = Subscribers.Demand.none
        private var isOver = false

        init(downstream: Downstream, sourceLocation: SourceLocation) {
            self.downstream = downstream
            self.sourceLocation = sourceLocation
        }

        func receive(subscription: any Subscription) {
            #expect(upstream == nil && !isOver, "A second subscription came.", sourceLocation: sourceLocation)
            upstream = subscription
            downstream.receive(subscription: self)
        }

        func receive(_ input: Downstream.Input) -> Subscribers.Demand {
            #expect(!isOver, "\(input) came after the end.", sourceLocation: sourceLocation)
            #expect(upstream != nil, "\(input) came before the subscription.", sourceLocation: sourceLocation)
            #expect(demand > .none, "\(input) came without demand.", sourceLocation: sourceLocation)
            if demand > .none {
                demand -= 1
            }
            let more = downstream.receive(input)
            demand += more
            return more
        }

        func receive(completion: Subscribers.Completion<Downstream.Failure>) {
            #expect(!isOver, "\(completion) came after the end.", sourceLocation: sourceLocation)
            #expect(upstream != nil, "\(completion) came before the subscription.", sourceLocation: sourceLocation)
            isOver = true
            upstream = nil
            downstream.receive(completion: completion)
        }

        func request(_ demand: Subscribers.Demand) {
            self.demand += demand
            upstream?.request(demand)
        }

        func cancel() {
            isOver = true
            let cancelled = upstream
            upstream = nil
            cancelled?.cancel()
        }

        var description: String { upstream.map { String(describing: $0) } ?? "over" }
    }
}
