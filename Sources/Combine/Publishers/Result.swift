extension Result {
    /// A publisher of the value, or of the failure.
    @inlinable
    public var publisher: Publisher { Publisher(self) }

    /// A publisher of a result that is known already.
    public struct Publisher: Combine.Publisher {
        public typealias Output = Success

        /// What every subscriber gets.
        public let result: Result<Success, Failure>

        /// A publisher of this result.
        @inlinable
        public init(_ result: Result<Success, Failure>) {
            self.result = result
        }

        /// A publisher of this value.
        @inlinable
        public init(_ output: Success) {
            self.init(.success(output))
        }

        /// A publisher that fails with this error.
        @inlinable
        public init(_ failure: Failure) {
            self.init(.failure(failure))
        }

        @inlinable
        public func receive<S>(subscriber: S) where Success == S.Input, Failure == S.Failure, S: Subscriber {
            switch result {
            case .success(let output):
                subscriber.receive(subscription: SingleValue(output, downstream: subscriber, name: "Once"))
            case .failure(let error):
                subscriber.receive(subscription: Subscriptions.empty)
                subscriber.receive(completion: .failure(error))
            }
        }
    }
}

extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}

extension Result {
    /// The success made another, where that may fail.
    @inlinable
    func trying<T>(_ transform: (Success) throws -> T) -> Result<T, any Error> {
        Result<T, any Error> { try transform(get()) }
    }
}

extension Result.Publisher where Success: Equatable {
    @inlinable
    public func contains(_ output: Output) -> Result<Bool, Failure>.Publisher { .init(result.map { $0 == output }) }

    @inlinable
    public func removeDuplicates() -> Self { self }
}

extension Result.Publisher where Success: Comparable {
    @inlinable
    public func min() -> Self { self }

    @inlinable
    public func max() -> Self { self }
}

extension Result.Publisher {
    @inlinable
    public func allSatisfy(_ predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
        .init(result.map(predicate))
    }

    @inlinable
    public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        .init(result.trying(predicate))
    }

    @inlinable
    public func collect() -> Result<[Output], Failure>.Publisher { .init(result.map { [$0] }) }

    @inlinable
    public func contains(where predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
        .init(result.map(predicate))
    }

    @inlinable
    public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        .init(result.trying(predicate))
    }

    @inlinable
    public func count() -> Result<Int, Failure>.Publisher { .init(result.map { _ in 1 }) }

    @inlinable
    public func first() -> Self { self }

    @inlinable
    public func last() -> Self { self }

    @inlinable
    public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

    @inlinable
    public func map<T>(_ transform: (Output) -> T) -> Result<T, Failure>.Publisher { .init(result.map(transform)) }

    @inlinable
    public func tryMap<T>(_ transform: (Output) throws -> T) -> Result<T, any Error>.Publisher {
        .init(result.trying(transform))
    }

    @inlinable
    public func mapError<E: Error>(_ transform: (Failure) -> E) -> Result<Output, E>.Publisher {
        .init(result.mapError(transform))
    }

    @inlinable
    public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Self { self }

    @inlinable
    public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Self { self }

    /// Apple's asks such a closure once, for what it may throw.
    @inlinable
    func asking(_ predicate: (Output, Output) throws -> Bool) -> Result<Output, any Error>.Publisher {
        .init(
            result.trying { output in
                _ = try predicate(output, output)
                return output
            })
    }

    @inlinable
    public func tryMax(
        by areInIncreasingOrder: (Output, Output) throws -> Bool
    ) -> Result<Output, any Error>.Publisher {
        asking(areInIncreasingOrder)
    }

    @inlinable
    public func tryMin(
        by areInIncreasingOrder: (Output, Output) throws -> Bool
    ) -> Result<Output, any Error>.Publisher {
        asking(areInIncreasingOrder)
    }

    @inlinable
    public func reduce<T>(
        _ initialResult: T, _ nextPartialResult: (T, Output) -> T
    ) -> Result<T, Failure>.Publisher {
        .init(result.map { nextPartialResult(initialResult, $0) })
    }

    @inlinable
    public func tryReduce<T>(
        _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
    ) -> Result<T, any Error>.Publisher {
        .init(result.trying { try nextPartialResult(initialResult, $0) })
    }

    @inlinable
    public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Self { self }

    @inlinable
    public func tryRemoveDuplicates(
        by predicate: (Output, Output) throws -> Bool
    ) -> Result<Output, any Error>.Publisher {
        asking(predicate)
    }

    @inlinable
    public func replaceError(with output: Output) -> Result<Output, Never>.Publisher {
        switch result {
        case .success(let value): return .init(value)
        case .failure: return .init(output)
        }
    }

    @inlinable
    public func replaceEmpty(with output: Output) -> Self { self }

    @inlinable
    public func retry(_ times: Int) -> Self { self }

    @inlinable
    public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Failure>.Publisher {
        .init(result.map { nextPartialResult(initialResult, $0) })
    }

    @inlinable
    public func tryScan<T>(
        _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
    ) -> Result<T, any Error>.Publisher {
        .init(result.trying { try nextPartialResult(initialResult, $0) })
    }
}

extension Result.Publisher where Failure == Never {
    @inlinable
    public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher {
        switch result {
        case .success(let output): return .init(output)
        }
    }
}
