/// A publisher of one value that is known already.
public struct Just<Output>: Publisher {
    public typealias Failure = Never

    /// The value that every subscriber gets.
    public let output: Output

    @inlinable
    public init(_ output: Output) {
        self.output = output
    }

    @inlinable
    public func receive<S>(subscriber: S) where Output == S.Input, S: Subscriber, S.Failure == Never {
        subscriber.receive(subscription: SingleValue(output, downstream: subscriber, name: "Just"))
    }
}

extension Just: Equatable where Output: Equatable {}

extension Just where Output: Comparable {
    @inlinable
    public func min() -> Just<Output> { self }

    @inlinable
    public func max() -> Just<Output> { self }
}

extension Just where Output: Equatable {
    @inlinable
    public func contains(_ output: Output) -> Just<Bool> { Just<Bool>(self.output == output) }

    @inlinable
    public func removeDuplicates() -> Just<Output> { self }
}

extension Just {
    @inlinable
    public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> { Just<Bool>(predicate(output)) }

    @inlinable
    public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        .init(Result { try predicate(output) })
    }

    @inlinable
    public func collect() -> Just<[Output]> { Just<[Output]>([output]) }

    @inlinable
    public func compactMap<ElementOfResult>(
        _ transform: (Output) -> ElementOfResult?
    ) -> ElementOfResult?.Publisher {
        .init(transform(output))
    }

    @inlinable
    public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> { self }

    @inlinable
    public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> { self }

    @inlinable
    public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { prepend(elements) }

    @inlinable
    public func prepend<S: Sequence<Output>>(_ elements: S) -> Publishers.Sequence<[Output], Never> {
        .init(sequence: elements + [output])
    }

    @inlinable
    public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> { append(elements) }

    @inlinable
    public func append<S: Sequence<Output>>(_ elements: S) -> Publishers.Sequence<[Output], Never> {
        .init(sequence: [output] + elements)
    }

    @inlinable
    public func contains(where predicate: (Output) -> Bool) -> Just<Bool> { Just<Bool>(predicate(output)) }

    @inlinable
    public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        .init(Result { try predicate(output) })
    }

    @inlinable
    public func count() -> Just<Int> { Just<Int>(1) }

    @inlinable
    public func dropFirst(_ count: Int = 1) -> Output?.Publisher {
        precondition(count >= 0, "dropFirst cannot drop a negative number of values: \(count) was asked for.")
        return .init(count > 0 ? nil : output)
    }

    @inlinable
    public func drop(while predicate: (Output) -> Bool) -> Output?.Publisher {
        .init(predicate(output) ? nil : output)
    }

    @inlinable
    public func first() -> Just<Output> { self }

    @inlinable
    public func first(where predicate: (Output) -> Bool) -> Output?.Publisher { filter(predicate) }

    @inlinable
    public func last() -> Just<Output> { self }

    @inlinable
    public func last(where predicate: (Output) -> Bool) -> Output?.Publisher { filter(predicate) }

    @inlinable
    public func filter(_ isIncluded: (Output) -> Bool) -> Output?.Publisher {
        .init(isIncluded(output) ? output : nil)
    }

    @inlinable
    public func ignoreOutput() -> Empty<Output, Never> { Empty() }

    @inlinable
    public func map<T>(_ transform: (Output) -> T) -> Just<T> { Just<T>(transform(output)) }

    @inlinable
    public func tryMap<T>(_ transform: (Output) throws -> T) -> Result<T, any Error>.Publisher {
        .init(Result { try transform(output) })
    }

    @inlinable
    public func mapError<E: Error>(_ transform: (Never) -> E) -> Result<Output, E>.Publisher { .init(output) }

    @inlinable
    public func output(at index: Int) -> Output?.Publisher {
        precondition(index >= 0, "output(at:) needs an index that is not negative: \(index) was given.")
        return .init(index == 0 ? output : nil)
    }

    @inlinable
    public func output<R>(in range: R) -> Output?.Publisher where R: RangeExpression, R.Bound == Int {
        // Apple's looks at the lower bound only: `0..<0` has the value, and `-1...1` does not.
        .init(range.relative(to: 0..<Int.max).lowerBound == 0 ? output : nil)
    }

    @inlinable
    public func prefix(_ maxLength: Int) -> Output?.Publisher {
        precondition(maxLength >= 0, "prefix cannot take a negative number of values: \(maxLength) was asked for.")
        return .init(maxLength > 0 ? output : nil)
    }

    @inlinable
    public func prefix(while predicate: (Output) -> Bool) -> Output?.Publisher { filter(predicate) }

    @inlinable
    public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Never>.Publisher {
        .init(nextPartialResult(initialResult, output))
    }

    @inlinable
    public func tryReduce<T>(
        _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
    ) -> Result<T, any Error>.Publisher {
        .init(Result { try nextPartialResult(initialResult, output) })
    }

    @inlinable
    public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Just<Output> { self }

    @inlinable
    public func tryRemoveDuplicates(
        by predicate: (Output, Output) throws -> Bool
    ) -> Result<Output, any Error>.Publisher {
        .init(
            Result {
                _ = try predicate(output, output)
                return output
            })
    }

    @inlinable
    public func replaceError(with output: Output) -> Just<Output> { self }

    @inlinable
    public func replaceEmpty(with output: Output) -> Just<Output> { self }

    @inlinable
    public func retry(_ times: Int) -> Just<Output> { self }

    @inlinable
    public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Never>.Publisher {
        .init(nextPartialResult(initialResult, output))
    }

    @inlinable
    public func tryScan<T>(
        _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
    ) -> Result<T, any Error>.Publisher {
        .init(Result { try nextPartialResult(initialResult, output) })
    }

    @inlinable
    public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher { .init(output) }
}
