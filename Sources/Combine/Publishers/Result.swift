extension Result {
    /// A publisher of the value, or of the failure.
    public var publisher: Publisher { Publisher(self) }

    /// A publisher of a result that is known already.
    public struct Publisher: Combine.Publisher {
        public typealias Output = Success

        /// What every subscriber gets.
        public let result: Result<Success, Failure>

        /// A publisher of this result.
        public init(_ result: Result<Success, Failure>) {
            self.result = result
        }

        /// A publisher of this value.
        public init(_ output: Success) {
            self.init(.success(output))
        }

        /// A publisher that fails with this error.
        public init(_ failure: Failure) {
            self.init(.failure(failure))
        }

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
    fileprivate func trying<T>(_ transform: (Success) throws -> T) -> Result<T, any Error> {
        Result<T, any Error> { try transform(get()) }
    }
}

extension Result.Publisher where Success: Equatable {
    public func contains(_ output: Output) -> Result<Bool, Failure>.Publisher { .init(result.map { $0 == output }) }

    public func removeDuplicates() -> Self { self }
}

extension Result.Publisher where Success: Comparable {
    public func min() -> Self { self }

    public func max() -> Self { self }
}

extension Result.Publisher {
    public func allSatisfy(_ predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
        .init(result.map(predicate))
    }

    public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        .init(result.trying(predicate))
    }

    public func collect() -> Result<[Output], Failure>.Publisher { .init(result.map { [$0] }) }

    public func contains(where predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
        .init(result.map(predicate))
    }

    public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
        .init(result.trying(predicate))
    }

    public func count() -> Result<Int, Failure>.Publisher { .init(result.map { _ in 1 }) }

    public func first() -> Self { self }

    public func last() -> Self { self }

    public func ignoreOutput() -> Empty<Output, Failure> { Empty() }

    public func map<T>(_ transform: (Output) -> T) -> Result<T, Failure>.Publisher { .init(result.map(transform)) }

    public func tryMap<T>(_ transform: (Output) throws -> T) -> Result<T, any Error>.Publisher {
        .init(result.trying(transform))
    }

    public func mapError<E: Error>(_ transform: (Failure) -> E) -> Result<Output, E>.Publisher {
        .init(result.mapError(transform))
    }

    public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Self { self }

    public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Self { self }

    public func tryMax(
        by areInIncreasingOrder: (Output, Output) throws -> Bool
    ) -> Result<Output, any Error>.Publisher {
        .init(result.trying { $0 })
    }

    public func tryMin(
        by areInIncreasingOrder: (Output, Output) throws -> Bool
    ) -> Result<Output, any Error>.Publisher {
        .init(result.trying { $0 })
    }

    public func reduce<T>(
        _ initialResult: T, _ nextPartialResult: (T, Output) -> T
    ) -> Result<T, Failure>.Publisher {
        .init(result.map { nextPartialResult(initialResult, $0) })
    }

    public func tryReduce<T>(
        _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
    ) -> Result<T, any Error>.Publisher {
        .init(result.trying { try nextPartialResult(initialResult, $0) })
    }

    public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Self { self }

    public func tryRemoveDuplicates(
        by predicate: (Output, Output) throws -> Bool
    ) -> Result<Output, any Error>.Publisher {
        .init(result.trying { $0 })
    }

    public func replaceError(with output: Output) -> Result<Output, Never>.Publisher {
        switch result {
        case .success(let value): return .init(value)
        case .failure: return .init(output)
        }
    }

    public func replaceEmpty(with output: Output) -> Self { self }

    public func retry(_ times: Int) -> Self { self }

    public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Failure>.Publisher {
        .init(result.map { nextPartialResult(initialResult, $0) })
    }

    public func tryScan<T>(
        _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
    ) -> Result<T, any Error>.Publisher {
        .init(result.trying { try nextPartialResult(initialResult, $0) })
    }
}

extension Result.Publisher where Failure == Never {
    public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher {
        switch result {
        case .success(let output): return .init(output)
        }
    }
}
