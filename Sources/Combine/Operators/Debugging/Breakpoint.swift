import Foundation

extension Publisher {
    /// Stops in the debugger where a closure says so of something that passes by.
    public func breakpoint(
        receiveSubscription: ((any Subscription) -> Bool)? = nil, receiveOutput: ((Output) -> Bool)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
    ) -> Publishers.Breakpoint<Self> {
        .init(
            upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
            receiveCompletion: receiveCompletion)
    }

    /// Stops in the debugger where the publisher fails.
    public func breakpointOnError() -> Publishers.Breakpoint<Self> {
        breakpoint(receiveCompletion: { completion in
            if case .failure = completion { true } else { false }
        })
    }
}

extension Publishers {
    /// What `breakpoint` returns.
    public struct Breakpoint<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let receiveSubscription: ((any Subscription) -> Bool)?
        public let receiveOutput: ((Upstream.Output) -> Bool)?
        public let receiveCompletion: ((Subscribers.Completion<Upstream.Failure>) -> Bool)?

        public init(
            upstream: Upstream, receiveSubscription: ((any Subscription) -> Bool)? = nil,
            receiveOutput: ((Upstream.Output) -> Bool)? = nil,
            receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
        ) {
            self.upstream = upstream
            self.receiveSubscription = receiveSubscription
            self.receiveOutput = receiveOutput
            self.receiveCompletion = receiveCompletion
        }

        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            upstream.subscribe(Inner(downstream: AnySubscriber(subscriber), breakpoint: self))
        }

        private struct Inner<Downstream: Subscriber>: PassThrough
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            let downstream: Downstream
            let breakpoint: Breakpoint
            let combineIdentifier = CombineIdentifier()

            func receive(subscription: any Subscription) {
                stop(if: breakpoint.receiveSubscription?(subscription))
                downstream.receive(subscription: subscription)
            }

            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                stop(if: breakpoint.receiveOutput?(input))
                return downstream.receive(input)
            }

            func receive(completion: Subscribers.Completion<Failure>) {
                stop(if: breakpoint.receiveCompletion?(completion))
                downstream.receive(completion: completion)
            }

            private func stop(if condition: Bool?) {
                if condition == true {
                    trap()
                }
            }

            var description: String { "Breakpoint" }
        }
    }
}

/// Stops in the debugger, and ends the process where there is none.
private func trap() {
    let wasHandled = isTrapHandled
    raise(SIGTRAP)
    // A debugger that goes on changes no handler. Swift's own prints a backtrace, gives way to what the system does by
    // itself, and returns, as it does for an instruction that traps once more then.
    if wasHandled, !isTrapHandled {
        raise(SIGTRAP)
    }
}

private var isTrapHandled: Bool {
    var action = sigaction()
    sigaction(SIGTRAP, nil, &action)
    #if canImport(Musl)
    return action.__sa_handler.sa_handler != nil
    #else
    return action.__sigaction_handler.sa_handler != nil
    #endif
}
