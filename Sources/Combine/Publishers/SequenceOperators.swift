// A sequence is there already: what an operator makes of it can be made at once, without a stage in between.

extension Publishers.Sequence {
    @inlinable
    public func allSatisfy(_ predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
        .init(.success(sequence.allSatisfy(predicate)))
    }

    @inlinable
    public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        .init(Result { try sequence.allSatisfy(predicate) })
    }

    @inlinable
    public func collect() -> Result<[Output], Failure>.Publisher { .init(.success(Array(sequence))) }

    @inlinable
    public func compactMap<T>(_ transform: (Output) -> T?) -> Publishers.Sequence<[T], Failure> {
        .init(sequence: sequence.compactMap(transform))
    }

    @inlinable
    public func contains(where predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
        .init(.success(sequence.contains(where: predicate)))
    }

    @inlinable
    public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        .init(Result { try sequence.contains(where: predicate) })
    }

    @inlinable
    public func drop(
        while predicate: (Elements.Element) -> Bool
    ) -> Publishers.Sequence<DropWhileSequence<Elements>, Failure> {
        .init(sequence: sequence.drop(while: predicate))
    }

    @inlinable
    public func dropFirst(_ count: Int = 1) -> Publishers.Sequence<DropFirstSequence<Elements>, Failure> {
        .init(sequence: sequence.dropFirst(count))
    }

    @inlinable
    public func filter(_ isIncluded: (Output) -> Bool) -> Publishers.Sequence<[Output], Failure> {
        .init(sequence: sequence.filter(isIncluded))
    }

    @inlinable
    public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

    @inlinable
    public func map<T>(_ transform: (Elements.Element) -> T) -> Publishers.Sequence<[T], Failure> {
        .init(sequence: sequence.map(transform))
    }

    @inlinable
    public func prefix(_ maxLength: Int) -> Publishers.Sequence<PrefixSequence<Elements>, Failure> {
        .init(sequence: sequence.prefix(maxLength))
    }

    @inlinable
    public func prefix(
        while predicate: (Elements.Element) -> Bool
    ) -> Publishers.Sequence<[Elements.Element], Failure> {
        .init(sequence: sequence.prefix(while: predicate))
    }

    @inlinable
    public func reduce<T>(
        _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
    ) -> Result<T, Failure>.Publisher {
        .init(.success(sequence.reduce(initialResult, nextPartialResult)))
    }

    @inlinable
    public func tryReduce<T>(
        _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
    ) -> Result<T, any Error>.Publisher {
        .init(Result { try sequence.reduce(initialResult, nextPartialResult) })
    }

    @inlinable
    public func replaceNil<T>(with output: T) -> Publishers.Sequence<[Output], Failure> where Elements.Element == T? {
        .init(sequence: sequence.map { $0 ?? output })
    }

    @inlinable
    public func scan<T>(
        _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
    ) -> Publishers.Sequence<[T], Failure> {
        var result = initialResult
        return .init(
            sequence: sequence.map { element in
                result = nextPartialResult(result, element)
                return result
            })
    }
}

extension Publishers.Sequence where Elements.Element: Equatable {
    @inlinable
    public func removeDuplicates() -> Publishers.Sequence<[Output], Failure> {
        var last: Output?
        return .init(
            sequence: sequence.filter { element in
                defer { last = element }
                return element != last
            })
    }

    @inlinable
    public func contains(_ output: Elements.Element) -> Result<Bool, Failure>.Publisher {
        .init(.success(sequence.contains(output)))
    }
}

extension Publishers.Sequence where Failure == Never {
    @inlinable
    public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Output?.Publisher {
        .init(sequence.min(by: areInIncreasingOrder))
    }

    @inlinable
    public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Output?.Publisher {
        .init(sequence.max(by: areInIncreasingOrder))
    }

    @inlinable
    public func first(where predicate: (Output) -> Bool) -> Output?.Publisher {
        .init(sequence.first(where: predicate))
    }

    @inlinable
    public func setFailureType<E: Error>(to error: E.Type) -> Publishers.Sequence<Elements, E> {
        .init(sequence: sequence)
    }
}

extension Publishers.Sequence where Failure == Never, Elements.Element: Comparable {
    @inlinable
    public func min() -> Output?.Publisher { .init(sequence.min()) }

    @inlinable
    public func max() -> Output?.Publisher { .init(sequence.max()) }
}

extension Publishers.Sequence where Elements: Collection, Failure == Never {
    @inlinable
    public func first() -> Output?.Publisher { .init(sequence.first) }

    @inlinable
    public func count() -> Just<Int> { Just(sequence.count) }

    @inlinable
    public func output(at index: Elements.Index) -> Output?.Publisher {
        .init(sequence.indices.contains(index) ? sequence[index] : nil)
    }

    @inlinable
    public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Output], Failure> {
        .init(sequence: Array(sequence[range]))
    }
}

extension Publishers.Sequence where Elements: Collection {
    @inlinable
    public func count() -> Result<Int, Failure>.Publisher { .init(.success(sequence.count)) }
}

extension Publishers.Sequence where Elements: BidirectionalCollection, Failure == Never {
    @inlinable
    public func last() -> Output?.Publisher { .init(sequence.last) }

    @inlinable
    public func last(where predicate: (Output) -> Bool) -> Output?.Publisher {
        .init(sequence.last(where: predicate))
    }
}

extension Publishers.Sequence where Elements: RandomAccessCollection, Failure == Never {
    @inlinable
    public func count() -> Just<Int> { Just(sequence.count) }

    @inlinable
    public func output(at index: Elements.Index) -> Output?.Publisher {
        let isInside = index >= sequence.startIndex && index < sequence.endIndex
        return .init(isInside ? sequence[index] : nil)
    }

    @inlinable
    public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Output], Failure> {
        .init(sequence: Array(sequence[range]))
    }
}

extension Publishers.Sequence where Elements: RandomAccessCollection {
    @inlinable
    public func count() -> Result<Int, Failure>.Publisher { .init(.success(sequence.count)) }
}

extension Publishers.Sequence where Elements: RangeReplaceableCollection {
    @inlinable
    public func prepend(_ elements: Output...) -> Publishers.Sequence<Elements, Failure> { prepend(elements) }

    @inlinable
    public func prepend<S: Swift.Sequence<Output>>(_ elements: S) -> Publishers.Sequence<Elements, Failure> {
        .init(sequence: elements + sequence)
    }

    @inlinable
    public func prepend(
        _ publisher: Publishers.Sequence<Elements, Failure>
    ) -> Publishers.Sequence<Elements, Failure> {
        .init(sequence: publisher.sequence + sequence)
    }

    @inlinable
    public func append(_ elements: Output...) -> Publishers.Sequence<Elements, Failure> { append(elements) }

    @inlinable
    public func append<S: Swift.Sequence<Output>>(_ elements: S) -> Publishers.Sequence<Elements, Failure> {
        .init(sequence: sequence + elements)
    }

    @inlinable
    public func append(
        _ publisher: Publishers.Sequence<Elements, Failure>
    ) -> Publishers.Sequence<Elements, Failure> {
        append(publisher.sequence)
    }
}
