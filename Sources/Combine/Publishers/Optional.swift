extension Optional {
    /// A publisher of the value, if there is one.
    @inlinable
    public var publisher: Publisher { Publisher(self) }

    /// A publisher of an optional's value, which finishes at once if there is no value.
    public struct Publisher: Combine.Publisher {
        public typealias Output = Wrapped
        public typealias Failure = Never

        /// The value, if there is one.
        public let output: Wrapped?

        @inlinable
        public init(_ output: Wrapped?) {
            self.output = output
        }

        @inlinable
        public func receive<S>(subscriber: S) where Wrapped == S.Input, S: Subscriber, S.Failure == Never {
            guard let output else {
                subscriber.receive(subscription: Subscriptions.empty)
                subscriber.receive(completion: .finished)
                return
            }
            subscriber.receive(subscription: SingleValue(output, downstream: subscriber, name: "Optional"))
        }
    }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}

extension Optional.Publisher where Wrapped: Equatable {
    @inlinable
    public func contains(_ output: Output) -> Bool?.Publisher { .init(self.output.map { $0 == output }) }

    @inlinable
    public func removeDuplicates() -> Self { self }
}

extension Optional.Publisher where Wrapped: Comparable {
    @inlinable
    public func min() -> Self { self }

    @inlinable
    public func max() -> Self { self }
}

extension Optional.Publisher {
    @inlinable
    public func allSatisfy(_ predicate: (Output) -> Bool) -> Bool?.Publisher { .init(output.map(predicate)) }

    @inlinable
    public func collect() -> [Output]?.Publisher { .init(output.map { [$0] } ?? []) }

    @inlinable
    public func compactMap<ElementOfResult>(
        _ transform: (Output) -> ElementOfResult?
    ) -> ElementOfResult?.Publisher {
        .init(output.flatMap(transform))
    }

    @inlinable
    public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Self { self }

    @inlinable
    public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Self { self }

    @inlinable
    public func contains(where predicate: (Output) -> Bool) -> Bool?.Publisher { .init(output.map(predicate)) }

    @inlinable
    public func count() -> Int?.Publisher { .init(output.map { _ in 1 }) }

    @inlinable
    public func dropFirst(_ count: Int = 1) -> Self {
        precondition(count >= 0, "dropFirst cannot drop a negative number of values: \(count) was asked for.")
        return .init(count > 0 ? nil : output)
    }

    @inlinable
    public func drop(while predicate: (Output) -> Bool) -> Self { .init(output.flatMap { predicate($0) ? nil : $0 }) }

    @inlinable
    public func first() -> Self { self }

    @inlinable
    public func first(where predicate: (Output) -> Bool) -> Self { filter(predicate) }

    @inlinable
    public func last() -> Self { self }

    @inlinable
    public func last(where predicate: (Output) -> Bool) -> Self { filter(predicate) }

    @inlinable
    public func filter(_ isIncluded: (Output) -> Bool) -> Self { .init(output.flatMap { isIncluded($0) ? $0 : nil }) }

    @inlinable
    public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

    @inlinable
    public func map<T>(_ transform: (Output) -> T) -> T?.Publisher { .init(output.map(transform)) }

    @inlinable
    public func output(at index: Int) -> Self {
        precondition(index >= 0, "output(at:) needs an index that is not negative: \(index) was given.")
        return .init(index == 0 ? output : nil)
    }

    @inlinable
    public func output<R>(in range: R) -> Self where R: RangeExpression, R.Bound == Int {
        let range = range.relative(to: 0..<Int.max)
        precondition(range.lowerBound >= 0, "output(in:) needs bounds that are not negative: \(range) was given.")
        // Apple's takes no greater one, and so no range without an upper bound either.
        precondition(range.upperBound < Int.max - 1, "output(in:) needs a smaller upper bound: \(range) was given.")
        return .init(range.contains(0) ? output : nil)
    }

    @inlinable
    public func prefix(_ maxLength: Int) -> Self {
        precondition(maxLength >= 0, "prefix cannot take a negative number of values: \(maxLength) was asked for.")
        return .init(maxLength > 0 ? output : nil)
    }

    @inlinable
    public func prefix(while predicate: (Output) -> Bool) -> Self { filter(predicate) }

    @inlinable
    public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> T?.Publisher {
        .init(output.map { nextPartialResult(initialResult, $0) })
    }

    @inlinable
    public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Self { self }

    @inlinable
    public func replaceError(with output: Output) -> Self { self }

    @inlinable
    public func replaceEmpty(with output: Output) -> Just<Output> { Just(self.output ?? output) }

    @inlinable
    public func retry(_ times: Int) -> Self { self }

    @inlinable
    public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> T?.Publisher {
        .init(output.map { nextPartialResult(initialResult, $0) })
    }

}
