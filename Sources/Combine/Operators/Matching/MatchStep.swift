/// What `allSatisfy`, `contains(where:)`, and those that may throw do with each value: the answer changes, and is known,
/// with the first value for which the closure says otherwise.
@usableFromInline
struct MatchStep<Upstream: Publisher, Failure: Error>: Fold {
    @usableFromInline let name: String
    @usableFromInline let predicate: (Upstream.Output) throws(Failure) -> Bool
    @usableFromInline var answer: Bool

    /// - Parameter initial: the answer where there is no value.
    @inlinable
    init(_ name: String, initial: Bool, predicate: @escaping (Upstream.Output) throws(Failure) -> Bool) {
        self.name = name
        self.predicate = predicate
        answer = initial
    }

    @inlinable
    var result: Bool? { answer }

    @inlinable
    mutating func fold(_ input: Upstream.Output) throws(Failure) -> Folded {
        guard try predicate(input) != answer else { return .goOn }
        answer.toggle()
        return .finish
    }
}
