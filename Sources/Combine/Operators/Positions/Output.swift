extension Publisher {
    /// Sends the value at this position only.
    @inlinable
    public func output(at index: Int) -> Publishers.Output<Self> {
        precondition(index >= 0, "output(at:) needs an index that is not negative: \(index) was given.")
        return output(in: index...index)
    }

    /// Sends the values at these positions only.
    @inlinable
    public func output<R>(in range: R) -> Publishers.Output<Self> where R: RangeExpression, R.Bound == Int {
        .init(upstream: self, range: range.relative(to: 0..<Int.max))
    }

    /// Sends at most the first so many values.
    @inlinable
    public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
        precondition(maxLength >= 0, "prefix cannot take a negative number of values: \(maxLength) was asked for.")
        return .init(upstream: self, range: 0..<maxLength)
    }
}

extension Publishers {
    /// What `output` and `prefix` return.
    public struct Output<Upstream: Publisher>: Publisher {
        public typealias Output = Upstream.Output
        public typealias Failure = Upstream.Failure

        public let upstream: Upstream
        public let range: CountableRange<Int>

        @inlinable
        public init(upstream: Upstream, range: CountableRange<Int>) {
            precondition(
                range.lowerBound >= 0, "output(in:) needs bounds that are not negative: \(range) was given.")
            self.upstream = upstream
            self.range = range
        }

        @inlinable
        public func receive<S>(subscriber: S) where S: Subscriber, Failure == S.Failure, Output == S.Input {
            upstream.subscribe(Inner(downstream: AnySubscriber(subscriber), range: range))
        }

        @usableFromInline
        final class Inner<Downstream: Subscriber>: EndingStage<Downstream>, SingleUpstreamSubscription
        where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
            @usableFromInline var untilStart: Int
            @usableFromInline var untilEnd: Int

            @inlinable
            init(downstream: Downstream, range: CountableRange<Int>) {
                untilStart = range.lowerBound
                untilEnd = range.count
                super.init(downstream: downstream)
            }

            @inlinable
            func receive(_ input: Upstream.Output) -> Subscribers.Demand {
                handDown { pass(input) }
            }

            @inline(__always)
            @inlinable
            func pass(_ input: Upstream.Output) -> Subscribers.Demand {
                // Apple's passes values of the range before the subscription and after the end too.
                // A value may be sent from inside of the one before it: each counts before it is passed on.
                lock.lock()
                if untilStart > 0 {
                    untilStart -= 1
                    lock.unlock()
                    return .max(1)
                }
                guard untilEnd > 0 else {
                    lock.unlock()
                    finish()
                    return .none
                }
                untilEnd -= 1
                let isLast = untilEnd == 0
                lock.unlock()
                let more = downstream.receive(input)
                if isLast {
                    finish()
                }
                return more
            }

            @inlinable
            func finish() {
                if endAndCancel() {
                    finish(.finished)
                }
            }

            @inlinable
            func receive(completion: Subscribers.Completion<Failure>) {
                if end() {
                    finish(completion)
                }
            }

            @inlinable
            func request(_ demand: Subscribers.Demand) {
                guard demand > .none else { return }
                subscription?.request(demand)
            }

            @usableFromInline
            var description: String { "Output" }
        }
    }
}

extension Publishers.Output: Equatable where Upstream: Equatable {}
