import Testing
import Workbook

@Suite("What to do about an error of the compiler's")
struct CompileMistakeTests {
    /// The compiler's own words for what learners of these katas get wrong.
    @Test(arguments: [
        ("no such module 'os'", CompileMistake.module),
        ("cannot find 'OSAllocatedUnfairLock' in scope", .module),
        ("cannot find 'NSLock' in scope", .foundation),
        ("cannot find type 'DispatchQueue' in scope", .foundation),
        ("cannot find 'Mutex' in scope", .synchronization),
        ("ambiguous use of 'init(name:priority:operation:)'", .ambiguous),
        ("generic parameter 'T' could not be inferred", .inferred),
        ("missing argument label 'with:' in call", .label),
        ("'async' call in a function that does not support concurrency", .async),
        ("expression is 'async' but is not marked with 'await'", .await),
        ("call can throw, but it is not marked with 'try' and the error is not handled", .try),
        (
            "call to main actor-isolated instance method 'inc()' in a synchronous nonisolated context",
            .isolated
        ),
        ("actor-isolated property 'n' can not be mutated from a nonisolated context", .isolated),
        ("closure captures 'c' before it is declared", .beforeSet),
        ("constant 'c' captured by a closure before being initialized", .beforeSet),
        ("escaping closure captures 'inout' parameter 'x'", .captured),
        ("capture of 'self' with non-Sendable type 'Q' in a '@Sendable' closure", .sendable),
        (
            "cannot convert return expression of type 'Just<Int>' to return type 'AnyPublisher<Int, Never>'",
            .erase
        ),
        ("type 'S' does not conform to protocol 'P'", .conforms),
        (
            "reference to property 'n' in closure requires explicit use of 'self' to make capture semantics explicit",
            .explicitSelf
        ),
        ("expected '}' at end of brace statement", .braces),
    ])
    func known(words: String, mistake: CompileMistake) {
        #expect(CompileMistake(error(words)) == mistake)
    }

    @Test("Where the compiler's words say all, nothing is added")
    func unknown() {
        #expect(CompileMistake(error("cannot find 'nothing' in scope")) == nil)
        #expect(CompileMistake(error("value of optional type 'Int?' must be unwrapped")) == nil)
    }

    private func error(_ words: String) -> Diagnostic {
        Diagnostic(
            severity: .error, file: "K.swift", line: 1, column: 1, message: LocalizableMessage(.verbatim, words))
    }
}
