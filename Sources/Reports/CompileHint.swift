import Workbook

/// What learners get wrong before a test can run, and what to do about it. Where the compiler's own words say all, there is none.
enum CompileHint {
    private struct Rule {
        var key: ReportKey
        /// Parts of the compiler's message, of which one is enough.
        var says: [String]
    }

    /// The first that fits is used.
    private static let rules = [
        Rule(key: .compileModule, says: ["no such module", "cannot find 'OSAllocatedUnfairLock'", "cannot find 'os_"]),
        Rule(key: .compileSynchronization, says: ["cannot find 'Mutex'", "cannot find 'Atomic'", "type 'Mutex'", "type 'Atomic'"]),
        Rule(
            key: .compileFoundation,
            says: [
                "NSLock", "NSRecursiveLock", "NSCondition", "DispatchQueue", "DispatchSemaphore", "DispatchGroup", "Thread",
                "OperationQueue", "NotificationCenter", "Notification", "UUID", "Date", "Data", "URL", "Timer",
            ].flatMap { ["cannot find '\($0)' in scope", "cannot find type '\($0)' in scope"] }),
        Rule(key: .compileAmbiguous, says: ["ambiguous use of 'init"]),
        Rule(
            key: .compileInferred,
            says: [
                "could not be inferred", "ambiguous without a type annotation", "failed to produce diagnostic",
                "unable to type-check this expression in reasonable time",
            ]),
        Rule(key: .compileLabel, says: ["missing argument label", "incorrect argument label", "extraneous argument label"]),
        Rule(key: .compileAsync, says: ["'async' call in a function that does not support concurrency"]),
        Rule(key: .compileAwait, says: ["is 'async' but is not marked with 'await'"]),
        Rule(key: .compileTry, says: ["not marked with 'try'", "errors thrown from here are not handled"]),
        Rule(key: .compileIsolated, says: ["actor-isolated"]),
        Rule(
            key: .compileBeforeSet,
            says: ["before it is declared", "before being initialized", "captured by a closure before"]),
        Rule(
            key: .compileCaptured,
            says: ["captured var", "escaping closure captures", "mutation of captured", "concurrently-executing code"]),
        Rule(key: .compileSendable, says: ["Sendable"]),
        Rule(key: .compileErase, says: ["to return type 'AnyPublisher<", "to specified type 'AnyPublisher<"]),
        Rule(key: .compileConforms, says: ["does not conform to protocol"]),
        Rule(key: .compileSelf, says: ["requires explicit use of 'self'"]),
        Rule(key: .compileBraces, says: ["expected '}'", "extraneous '}'", "consecutive statements on a line"]),
    ]

    static func key(for error: Diagnostic) -> ReportKey? {
        guard error.message.key == .verbatim, let text = error.message.arguments.first else { return nil }
        return rules.first { rule in rule.says.contains { text.contains($0) } }?.key
    }
}
