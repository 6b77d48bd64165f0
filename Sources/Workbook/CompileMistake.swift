/// What learners often get wrong before a test can run, where more can be said than the compiler says.
public enum CompileMistake: String, CaseIterable, Sendable {
    case module, synchronization, foundation, ambiguous, inferred, label, async, await, `try`, isolated, beforeSet
    case captured, sendable, erase, conforms, braces
    case explicitSelf = "self"

    private struct Rule {
        var mistake: CompileMistake
        /// Parts of the compiler's message, of which one is enough.
        var says: [String]
    }

    /// The first that fits is used.
    private static let rules = [
        Rule(mistake: .module, says: ["no such module", "cannot find 'OSAllocatedUnfairLock'", "cannot find 'os_"]),
        Rule(
            mistake: .synchronization,
            says: ["cannot find 'Mutex'", "cannot find 'Atomic'", "type 'Mutex'", "type 'Atomic'"]),
        Rule(
            mistake: .foundation,
            says: [
                "NSLock", "NSRecursiveLock", "NSCondition", "DispatchQueue", "DispatchSemaphore", "DispatchGroup",
                "Thread",
                "OperationQueue", "NotificationCenter", "Notification", "UUID", "Date", "Data", "URL", "Timer",
            ].flatMap { ["cannot find '\($0)' in scope", "cannot find type '\($0)' in scope"] }),
        Rule(mistake: .ambiguous, says: ["ambiguous use of 'init"]),
        Rule(
            mistake: .inferred,
            says: [
                "could not be inferred", "ambiguous without a type annotation", "failed to produce diagnostic",
                "unable to type-check this expression in reasonable time",
            ]),
        Rule(
            mistake: .label, says: ["missing argument label", "incorrect argument label", "extraneous argument label"]),
        Rule(mistake: .async, says: ["'async' call in a function that does not support concurrency"]),
        Rule(mistake: .await, says: ["is 'async' but is not marked with 'await'"]),
        Rule(mistake: .try, says: ["not marked with 'try'", "errors thrown from here are not handled"]),
        Rule(mistake: .isolated, says: ["actor-isolated"]),
        Rule(
            mistake: .beforeSet,
            says: ["before it is declared", "before being initialized", "captured by a closure before"]),
        Rule(
            mistake: .captured,
            says: ["captured var", "escaping closure captures", "mutation of captured", "concurrently-executing code"]),
        Rule(mistake: .sendable, says: ["Sendable"]),
        Rule(mistake: .erase, says: ["to return type 'AnyPublisher<", "to specified type 'AnyPublisher<"]),
        Rule(mistake: .conforms, says: ["does not conform to protocol"]),
        Rule(mistake: .explicitSelf, says: ["requires explicit use of 'self'"]),
        Rule(mistake: .braces, says: ["expected '}'", "extraneous '}'", "consecutive statements on a line"]),
    ]

    /// The mistake that an error of the compiler's comes from; `nil` where its words say all that is known.
    public init?(_ error: Diagnostic) {
        guard error.message.key == .verbatim, let text = error.message.arguments.first,
            let rule = Self.rules.first(where: { rule in rule.says.contains { text.contains($0) } })
        else { return nil }
        self = rule.mistake
    }
}
