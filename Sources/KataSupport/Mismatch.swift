/// `#expect` and `XCTAssertEqual` say what differs in English and in Swift's own terms; a learner reads it in another
/// language.
///
/// Expected against actual, thrown by `expect`: the same in both test frameworks, and a finding for the grader.
public struct Mismatch: FindingError {
    public var expected: String
    public var actual: String
    public var marbles: Finding.MarblePair?
    public var kind: Finding.Kind
    public var differences: Set<Finding.Difference>

    public init(
        expected: String, actual: String, marbles: Finding.MarblePair? = nil, kind: Finding.Kind = .different,
        differences: Set<Finding.Difference> = []
    ) {
        self.expected = expected
        self.actual = actual
        self.marbles = marbles
        self.kind = kind
        self.differences = differences
    }

    /// Two histories in virtual time, and what the test sent or did.
    public init(
        input: [Finding.MarblePair.Event] = [], expected: [Finding.MarblePair.Event],
        actual: [Finding.MarblePair.Event]
    ) {
        // One unit for both: seconds where milliseconds would be a row of zeros.
        let inSeconds = (expected + actual).contains { $0.milliseconds.magnitude >= 10_000 }
        func text(_ events: [Finding.MarblePair.Event]) -> String {
            events.isEmpty
                ? "–"
                : events.map { "\($0.label) @\(Marbles.moment($0.milliseconds, inSeconds: inSeconds))" }
                    .joined(separator: ", ")
        }
        self.init(
            expected: text(expected), actual: text(actual),
            marbles: .init(input: input, expected: expected, actual: actual),
            kind: History.difference(expected: expected, actual: actual) ?? .different,
            differences: History.differences(expected: expected.map(\.label), actual: actual.map(\.label)))
    }

    public var finding: Finding {
        Finding(
            key: "mismatch", arguments: [expected, actual], marbles: marbles, kind: kind, differences: differences)
    }

    public var prose: String {
        let diagram = marbles.map {
            "\n" + Marbles.drawing(input: $0.input ?? [], expected: $0.expected, actual: $0.actual)
        }
        return "Expected \(expected), but got \(actual).\(diagram ?? "")"
    }
}

/// Compares a result with what it should be.
public func expect<Value: Equatable>(_ actual: Value, equals expected: Value) throws {
    func text(_ value: Value) -> String { History.text(of: value) }
    let mismatch: Mismatch? =
        actual == expected
        ? nil
        : Mismatch(
            expected: text(expected), actual: text(actual),
            differences: History.differences(expected: expected, actual: actual))
    try Expectations.conclude(mismatch, expected: text(expected))
}

/// Compares a history with what it should be.
public func expect<Event: Equatable>(_ actual: [Event], equals expected: [Event]) throws {
    func text(_ events: [Event]) -> String { events.isEmpty ? "–" : History.text(events) }
    try Expectations.conclude(
        History.difference(expected: expected, actual: actual).map {
            Mismatch(
                expected: text(expected), actual: text(actual), kind: $0,
                differences: History.differences(
                    expected: expected.map { History.text(of: $0) }, actual: actual.map { History.text(of: $0) }))
        }, expected: text(expected))
}

/// Compares a result with those that it may be, where threads race.
public func expect<Value: Equatable>(_ actual: Value, isOneOf expected: [Value]) throws {
    let allowed = expected.map { History.text(of: $0) }.joined(separator: " / ")
    try Expectations.conclude(
        expected.contains(actual) ? nil : Mismatch(expected: allowed, actual: History.text(of: actual)),
        expected: allowed)
}

/// Compares how a throwing call ended with the value that it should return.
public func expect<Value: Equatable>(_ result: Result<Value, any Error>, equals expected: Value) throws {
    switch result {
    case .success(let value): try expect(value, equals: expected)
    case .failure(let error as any FindingError): throw error
    case .failure(let error): throw UnexpectedError(error)
    }
}

/// Compares how a throwing call ended with the history that it should return.
public func expect<Event: Equatable>(_ result: Result<[Event], any Error>, equals expected: [Event]) throws {
    switch result {
    case .success(let events): try expect(events, equals: expected)
    case .failure(let error as any FindingError): throw error
    case .failure(let error): throw UnexpectedError(error)
    }
}

/// An error that was thrown where none was expected.
public struct UnexpectedError: FindingError {
    public var error: any Error

    public init(_ error: any Error) {
        self.error = error
    }

    public var finding: Finding {
        Finding(
            key: "unexpectedError", arguments: [String(describing: error)], kind: .error,
            differences: error is CancellationError ? [.cancellationError] : [])
    }
    public var prose: String { "Expected no error, but got \(error)." }
}

/// Compares how a throwing call ended with the error that it should throw.
public func expect<Success, Wanted: Error & Equatable>(_ result: Result<Success, any Error>, throws wanted: Wanted)
    throws
{
    try expect(result, throws: wanted) { $0 as? Wanted == wanted }
}

/// Compares how a throwing call ended with an error of the answer's own, whose `==` may be of any kind.
///
/// - Parameter isWanted: matches the error's case.
public func expect<Success>(
    _ result: Result<Success, any Error>, throws wanted: any Error, where isWanted: (any Error) -> Bool
) throws {
    switch result {
    case .failure(let error) where isWanted(error):
        try Expectations.conclude(nil, expected: String(describing: wanted))
    case .failure(let error as any FindingError): throw error
    case .failure(let error):
        throw Mismatch(
            expected: String(describing: wanted), actual: String(describing: error), kind: .otherError,
            differences: error is CancellationError ? [.cancellationError] : [])
    case .success(let value):
        throw Mismatch(expected: String(describing: wanted), actual: History.text(of: value), kind: .noError)
    }
}

/// Compares how a call that was cancelled ended with a `CancellationError`.
public func expectCancellation<Success>(_ result: Result<Success, any Error>) throws {
    switch result {
    case .failure(is CancellationError): try Expectations.conclude(nil, expected: "CancellationError()")
    case .failure(let error as any FindingError): throw error
    case .failure(let error):
        throw Mismatch(expected: "CancellationError()", actual: String(describing: error), kind: .otherError)
    case .success(let value):
        throw Mismatch(expected: "CancellationError()", actual: History.text(of: value), kind: .noError)
    }
}

/// How a call ended, as a value; a deadline that it missed stays an error.
public func result<Success: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Success
) async throws -> Result<Success, any Error> {
    do {
        return .success(try await withDeadline(operation))
    } catch let error as DeadlineExceeded {
        throw error
    } catch {
        return .failure(error)
    }
}

/// How a task ended, as a value; a deadline that it missed stays an error.
public func result<Success: Sendable, TaskFailure: Error>(
    of task: Task<Success, TaskFailure>
) async throws -> Result<Success, any Error> {
    try await result { try await task.value }
}

/// An error of a suite's own, which no learner's code can throw by chance.
public struct Failure: Error, Equatable, Sendable, CustomStringConvertible {
    public var name: String

    public init(_ name: String) {
        self.name = name
    }

    public var description: String { "Failure(\"\(name)\")" }
}
