extension Finding {
    /// "Something else came" fits many mistakes. What is too much, what is missing and what stands in its place name the one
    /// that was made.
    ///
    /// The events are those of `ProbeSubscriber` and `ProbePublisher`, as their texts show them.
    public enum Difference: String, Sendable, Codable, CaseIterable {
        /// A value came that was not expected at all.
        case extraValue
        /// An expected value came once more.
        case repeatedValue
        case extraCompletion
        case extraFailure
        case extraSubscription
        case extraCancellation
        case extraDemand
        case missingValue
        case missingCompletion
        case missingFailure
        case missingSubscription
        case missingCancellation
        case missingDemand
        /// What came is the beginning of what was expected, and nothing after it.
        case stopsEarly
        /// What came is the end of what was expected, without its beginning.
        case startsLate
        /// A completion stands in the place of a failure.
        case completionForFailure
        /// A failure stands in the place of a completion.
        case failureForCompletion
        /// Another failure came than the expected one.
        case otherFailure
        /// A number is too large.
        case more
        /// A number is too small.
        case fewer
        /// A `CancellationError` came where another error, or none, was expected.
        case cancellationError
    }
}

/// What an event of a history is, by its text.
private enum EventKind {
    case value, completion, failure, subscription, cancellation, demand

    init(_ label: String) {
        self =
            switch label {
            case "|": .completion
            case "x": .failure
            case "subscribed": .subscription
            case "cancelled": .cancellation
            case _ where label.hasPrefix("x "): .failure
            case _ where label.hasPrefix("requested ") || label.hasPrefix("max(") || label == "unlimited": .demand
            default: .value
            }
    }

    var extra: Finding.Difference {
        switch self {
        case .value: .extraValue
        case .completion: .extraCompletion
        case .failure: .extraFailure
        case .subscription: .extraSubscription
        case .cancellation: .extraCancellation
        case .demand: .extraDemand
        }
    }

    var missing: Finding.Difference {
        switch self {
        case .value: .missingValue
        case .completion: .missingCompletion
        case .failure: .missingFailure
        case .subscription: .missingSubscription
        case .cancellation: .missingCancellation
        case .demand: .missingDemand
        }
    }
}

extension History {
    /// How two histories differ, by the texts of their events; none where they have the same events.
    static func differences(expected: [String], actual: [String]) -> Set<Finding.Difference> {
        let missing = expected.removing(actual)
        let extra = actual.removing(expected)
        let (missingKinds, extraKinds) = (missing.map(EventKind.init), extra.map(EventKind.init))
        var found = Set(missingKinds.map(\.missing)).union(extraKinds.map(\.extra))
        if extra.contains(where: { EventKind($0) == .value && expected.contains($0) }) { found.insert(.repeatedValue) }
        if extra.allSatisfy({ EventKind($0) != .value || expected.contains($0) }) { found.remove(.extraValue) }
        func replaced(_ lost: EventKind, by came: EventKind) -> Bool {
            missingKinds.contains(lost) && extraKinds.contains(came)
        }
        if replaced(.failure, by: .completion) { found.insert(.completionForFailure) }
        if replaced(.completion, by: .failure) { found.insert(.failureForCompletion) }
        if replaced(.failure, by: .failure) { found.insert(.otherFailure) }
        if extra.contains(where: { $0.hasPrefix("x CancellationError") }) { found.insert(.cancellationError) }
        if extra.isEmpty, !missing.isEmpty, !actual.isEmpty {
            if expected.starts(with: actual) { found.insert(.stopsEarly) }
            if expected.reversed().starts(with: actual.reversed()) { found.insert(.startsLate) }
        }
        return found
    }

    /// How two values differ: numbers by their size, all others not at all.
    static func differences<Value>(expected: Value, actual: Value) -> Set<Finding.Difference> {
        guard let expected = expected as? any BinaryInteger, let actual = actual as? any BinaryInteger else {
            return []
        }
        return [Int(clamping: actual) > Int(clamping: expected) ? .more : .fewer]
    }
}
