import Testing
import Workbook

@testable import Reports

@Suite("What to do about an error of the compiler's")
struct CompileHintTests {
    /// The compiler's own words for what learners of these katas get wrong.
    @Test(arguments: [
        ("no such module 'os'", ReportKey.compileModule),
        ("cannot find 'OSAllocatedUnfairLock' in scope", .compileModule),
        ("cannot find 'NSLock' in scope", .compileFoundation),
        ("cannot find type 'DispatchQueue' in scope", .compileFoundation),
        ("cannot find 'Mutex' in scope", .compileSynchronization),
        ("ambiguous use of 'init(name:priority:operation:)'", .compileAmbiguous),
        ("generic parameter 'T' could not be inferred", .compileInferred),
        ("missing argument label 'with:' in call", .compileLabel),
        ("'async' call in a function that does not support concurrency", .compileAsync),
        ("expression is 'async' but is not marked with 'await'", .compileAwait),
        ("call can throw, but it is not marked with 'try' and the error is not handled", .compileTry),
        (
            "call to main actor-isolated instance method 'inc()' in a synchronous nonisolated context",
            .compileIsolated
        ),
        ("actor-isolated property 'n' can not be mutated from a nonisolated context", .compileIsolated),
        ("closure captures 'c' before it is declared", .compileBeforeSet),
        ("constant 'c' captured by a closure before being initialized", .compileBeforeSet),
        ("escaping closure captures 'inout' parameter 'x'", .compileCaptured),
        ("capture of 'self' with non-Sendable type 'Q' in a '@Sendable' closure", .compileSendable),
        (
            "cannot convert return expression of type 'Just<Int>' to return type 'AnyPublisher<Int, Never>'",
            .compileErase
        ),
        ("type 'S' does not conform to protocol 'P'", .compileConforms),
        (
            "reference to property 'n' in closure requires explicit use of 'self' to make capture semantics explicit",
            .compileSelf
        ),
        ("expected '}' at end of brace statement", .compileBraces),
    ])
    func known(words: String, key: ReportKey) {
        #expect(CompileHint.key(for: error(words)) == key)
    }

    @Test("Where the compiler's words say all, nothing is added")
    func unknown() {
        #expect(CompileHint.key(for: error("cannot find 'nothing' in scope")) == nil)
        #expect(CompileHint.key(for: error("value of optional type 'Int?' must be unwrapped")) == nil)
    }

    private func error(_ words: String) -> Diagnostic {
        Diagnostic(
            severity: .error, file: "K.swift", line: 1, column: 1, message: LocalizableMessage(.verbatim, words))
    }
}
