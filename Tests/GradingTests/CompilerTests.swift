import Foundation
import TestSupport
import Testing
import Workbook

@testable import Grading

@Suite("The compiler's arguments, messages and interfaces")
struct CompilerTests {
    @Test("The arguments that are the same for every file are read from the driver's command line")
    func arguments() {
        let line =
            #"/usr/bin/swift-frontend -frontend -c -primary-file Kata.swift -target "x 64" -module-name Kata -plugin-path /a\ b -o /t/K.o"#
        #expect(Compiler.frontendArguments(line) == ["-target", "x 64", "-plugin-path", "/a b"])
    }

    @Test("A message is separated from the source below it")
    func messages() {
        let text = """
            Tally.swift:3:14: error: cannot convert value: 'a: b' [#Group]
            let x: Int = "a:1:2: error: no"
                         ^
            Tally.swift:9:1: note: declared here
            a.swift:1:1: warning: this is a line of the source
            <unknown>:0: warning: something [#StrictMemorySafety]
            Tally.swift:4:5: warning: a line of the source may say so as well [#StrictMemorySafety]
            a:1:1: warning: like this [#StrictMemorySafety]
            """
        let messages = CompilerMessage.parse(Array(text.utf8))
        #expect(messages.first?.text == "cannot convert value: 'a: b'")
        #expect(
            messages.map(\.group) == ["Group", nil, "StrictMemorySafety", "StrictMemorySafety", "StrictMemorySafety"])
        #expect(messages.map(\.line) == [3, 9, 0, 4, 1])
        #expect(messages.map(\.severity) == [.error, .note, .warning, .warning, .warning])
        #expect(CompilerMessage.mentions(of: "StrictMemorySafety", in: Array(text.utf8)) == 3)
    }

    @Test("The time to read messages grows linearly with their number")
    func manyMessages() {
        let text = (0..<50_000).map { "K.swift:\($0):1: error: cannot find 'x\($0)' in scope\nlet y = x\n" }.joined()
        let messages = CompilerMessage.parse(Array(text.utf8))
        #expect(messages.count == 50_000)
        let submission = Submission(
            kata: Kata(kata: "K", order: 1, phase: 1, interface: [], tests: []), file: URL(fileURLWithPath: "/K.swift"),
            displayPath: "K.swift")
        let diagnostics = Diagnostic.all(messages + messages, in: submission)
        #expect(diagnostics.count == 51)
        #expect(diagnostics.last?.message == LocalizableMessage(.diagnosticsCut, "49950"))
    }

    @Test("Raw memory is found, and honest uses of unsafe names are allowed")
    func rawMemory() {
        func rejection(_ notes: String..., place: String = "K.swift:1:1", source: String = "f(nil)") -> String? {
            let text =
                (["\(place): warning: expression uses unsafe constructs [#StrictMemorySafety]"]
                + notes.flatMap { ["a line of the source", "K.swift:1:3: note: \($0)"] }).joined(separator: "\n")
            return RawMemory.rejection(CompilerMessage.parse(Array(text.utf8)), in: Array(source.utf8))?.message
                .arguments
                .first
        }
        #expect(
            rejection("reference to parameter 'c' involves unsafe type 'UnsafeContinuation<Int, any Error>'")
                == "UnsafeContinuation<Int, any Error>")
        #expect(rejection("reference to nonisolated(unsafe) var 'x' is unsafe") == nil)
        #expect(rejection("reference to unsafe var '@unchecked'") == "@unchecked")
        #expect(
            rejection("argument 'body' in call has unsafe type '(UnsafeCurrentTask?) throws -> ()?'")
                == "(UnsafeCurrentTask?) throws -> ()?")
        #expect(rejection("reference to unsafe global function 'unsafeBitCast(_:to:)'") == "unsafeBitCast(_:to:)")
        #expect(
            rejection("reference to unsafe global function 'unsafeBitCast(_:to:)'", place: "<unknown>:0")
                == "unsafeBitCast(_:to:)")
        #expect(
            rejection("reference to let 'q' involves unsafe type 'UnsafeMutablePointer<Int>'")
                == "UnsafeMutablePointer<Int>")
        #expect(rejection() == "expression uses unsafe constructs")

        let clock =
            "argument #1 in call to global function 'clock_gettime' has unsafe type 'UnsafeMutablePointer<timespec>'"
        #expect(rejection(clock, source: "f(&times)") == "UnsafeMutablePointer<timespec>")
        #expect(rejection(clock, source: "f(nil)") == nil)
        #expect(rejection(clock, source: "f(nilly)") == "UnsafeMutablePointer<timespec>")
        let stream =
            "in call to global function 'fputs' has unsafe type 'UnsafeMutablePointer<FILE>?' (aka 'Optional<X>')"
        #expect(
            rejection("argument #1 \(stream)", "reference to var 'stdout' involves unsafe type 'Y'", source: "") == nil)
        #expect(rejection("argument #0 \(stream)", source: "") == "UnsafeMutablePointer<FILE>?")
    }

    @Test("An interface with all declarations of another one lacks none, in any order and with others between them")
    func interface() {
        let answer = ModuleInterface(
            "// swift-flags\nimport Swift\npublic struct A {\n  public init()\n  public func f()\n}\n")
        let more = ModuleInterface(
            "public func g()\npublic struct A {\n  public func f()\n  public func h()\n  public init()\n}\n")
        let other = ModuleInterface("public struct B {\n  public func f()\n}\npublic struct A {\n  public init()\n}\n")
        #expect(answer.declarations(lackingIn: more).isEmpty)
        let quoted = ModuleInterface(
            "public func g(_ x: Swift.String = \"\"\"\n"
                + "public struct A {\n  public init()\n  public func f()\n}\n\"\"\")\n")
        #expect(answer.declarations(lackingIn: quoted) == answer.declarations)
        #expect(answer.declarations(lackingIn: other) == [["public struct A {", "public func f()"]])
    }

    @Test("The time to compare interfaces grows linearly with the length of their lines")
    func longOuterLine() {
        let outer = "extension A where Element == (\(String(repeating: "é", count: 3_000)))"
        let members = (0..<2_000).map { "  public typealias T\($0) = Int\n" }
        let answer = ModuleInterface("public struct A {\n  public init()\n}\n\(outer) {\n\(members[7])}\n")
        let other = ModuleInterface("\(outer) {\n\(members.joined())}\n")
        #expect(
            answer.declarations(lackingIn: other) == [["public struct A {"], ["public struct A {", "public init()"]])
    }

    @Test(
        "If a line of an interface could continue after its end, all declarations count as missing",
        arguments: [
            "public func f(_ a: Swift.String = \"}", "public func f(_ a: Swift.String = #\"\\\"#)",
            "public func f(_ a: Swift.String = \"\"\"", "public func f(_ a: Swift.String = \"\\(1)\")",
            "public func f(_ a: Swift.String = \"\u{2028}\")", "public func f(_ a: K.T = { (",
            "public func f(_ a: K.T = /x/)", "public func `a b()", "public func f() // x", "#if $Feature",
            "public func f()\u{2028}public func g()",
            "public func f()\u{85}public func g()", "public func f()\rpublic func g()", "public func f()\u{B}",
        ])
    func longLines(line: String) {
        let answer = ModuleInterface("public struct A {\n  public init()\n}\n")
        let other = ModuleInterface("\(line)\npublic struct A {\n  public init()\n}\n")
        #expect(answer.declarations(lackingIn: other) == answer.declarations)
        #expect(other.declarations.count == 3)
    }

    @Test(
        "Strings and names in backticks hide no declarations if they end on their line",
        arguments: [
            "public func f(_ a: Swift.String = \"}\")",
            "public func f(_ a: Swift.String = \"[( \\\" \\n\", _ b: K.T = \\.self)",
            "public func `in`(_ a: Swift.String = \"\", _ b: Swift.String = \"//\")", "public func `a ( \" b`()",
        ])
    func shortLines(line: String) {
        let answer = ModuleInterface("public struct A {\n  public init()\n}\n")
        let other = ModuleInterface("\(line)\npublic struct A {\n  public init()\n}\n")
        #expect(answer.declarations(lackingIn: other).isEmpty)
    }

    @Test(
        "Declarations that could change the suite are found in an interface",
        arguments: [
            "public func == (a: Int, b: Int) -> Bool", "infix operator |> : P", "@inlinable public func f()",
            "public typealias Int = K.Mine", "extension Swift.Int : @retroactive Swift.Error {",
            "extension Swift.Int {\n  public static func + (a: Swift.Int, b: Swift.Int) -> Swift.Int\n}",
            "public func f(_ a: Swift.String = \"\"\"\npublic struct A {\n\"\"\")\npublic func + (a: Swift.Int, b: Swift.Int)",
        ])
    func refusedDeclarations(text: String) {
        #expect(ModuleInterface(text).refusedDeclaration != nil)
    }

    @Test("An operator of the submission's own type is allowed")
    func ownOperator() {
        #expect(
            ModuleInterface("public struct A : Equatable {\n  public static func == (a: K.A, b: K.A) -> Bool\n}")
                .refusedDeclaration == nil)
    }

    @Test("A finding is read from a framework's text")
    func finding() {
        let json =
            #"{"arguments":["1","2"],"key":"mismatch","marbles":{"actual":[],"expected":[{"label":"a","milliseconds":5}]}}"#
        let issue = RunReport.Issue(findingIn: ["Caught error: Expected 1", "finding: \(json)\" - "])
        #expect(issue.message == LocalizableMessage(.mismatch, "1", "2"))
        #expect(issue.marbles?.expected == [Marbles.Event(milliseconds: 5, label: "a")])
        #expect(RunReport.Issue(findingIn: [#"finding: {"key":"diskLow","arguments":[]}"#]).message.key == .verbatim)
        #expect(
            RunReport.Issue(findingIn: ["a", "finding: {}"]).message == LocalizableMessage(.verbatim, "a\nfinding: {}"))
    }

    @Test("If findings are sent separately from the texts, a text cannot be a finding")
    func keptFinding() {
        let json = #"{"arguments":["1","2"],"key":"mismatch","cut":7}"#
        let kept = RunReport.Issue(texts: ["finding: 1a2b"], finding: json, cut: 3)
        #expect(kept.message == LocalizableMessage(.mismatch, "1", "2"))
        #expect(kept.cut == 10)
        #expect(RunReport.Issue(texts: ["finding: \(json)"]).message.key == .verbatim)
        let grader = #"{"arguments":["1"],"key":"diskLow"}"#
        #expect(RunReport.Issue(texts: ["a"], finding: grader).message == LocalizableMessage(.verbatim, "a"))
    }

    @Test("An XCTest expectation that is not fulfilled is reported as a deadline that has passed")
    func expectation() {
        let text =
            "Asynchronous wait failed: Exceeded timeout of 0.1 seconds, with unfulfilled expectations: \"a value\"."
        #expect(RunReport.Issue(findingIn: [text]).message == LocalizableMessage(.deadline))
    }

    @Test("A tool that crashed says why in three lines at most, without its backtrace")
    func crashOfATool() {
        let driver = """
            *** Signal 4: Backtracing from 0x5593ee8dcbac... done ***

            *** Swift runtime failure: Not enough bits to represent the passed value ***

            Platform: x86_64 Linux

            Thread 0 "swiftc" crashed:

              0 [inlined] [system]     0x00005593ee8dcbac Swift runtime failure
            """
        #expect(
            ChildProcess.Ending.signaled(SIGILL).words(printed: driver)
                == "SIGILL\n*** Swift runtime failure: Not enough bits to represent the passed value ***")
        let frontend = """
            a.swift:1:1: warning: one
            Assertion failed: (false), function f
            PLEASE submit a bug report
            Stack dump:
            0.\tProgram arguments: swift-frontend
            1.\tWhile type-checking 'f()' (at a.swift:1:1)
            #0 0x0000 main
            """
        #expect(
            ChildProcess.Ending.exited(1).words(printed: frontend)
                == "exit 1\nAssertion failed: (false), function f\nWhile type-checking 'f()' (at a.swift:1:1)")
        #expect(ChildProcess.Ending.exited(1).words(printed: "one\ntwo\n") == "one\ntwo\n")
    }

    @Test("A leaked continuation is reported once, and not in the learner's output too")
    func leakedContinuation() {
        let output = Array(
            "one\nSWIFT TASK CONTINUATION MISUSE: f() leaked its continuation without resuming it.\ntwo\n".utf8)
        #expect(RunReport.leaks(in: output) == [LocalizableMessage(.continuationLeaked, "f()")])
        #expect(RunReport.withoutLeaks(output) == Array("one\ntwo\n".utf8))
    }

    @Test("A crash is named by the runtime's last message")
    func crash() {
        func name(_ text: String, _ signal: Int32 = 4) -> LocalizableMessage {
            RunReport.crash(signal: signal, output: Array(text.utf8), Limits())
        }
        #expect(name("K/K.swift:3: Fatal error: no\n") == LocalizableMessage(.fatalError, "no (K/K.swift:3)"))
        #expect(
            name("Swift/Array.swift:3: Fatal error: Index out of range\n")
                == LocalizableMessage(.fatalError, "Index out of range"))
        #expect(
            name(
                "_Concurrency/C.swift:1: Fatal error: SWIFT TASK CONTINUATION MISUSE: f() tried to resume its continuation more than once, returning ()!\n"
            )
                == LocalizableMessage(.resumedTwice, "f()"))
        #expect(
            name("Fatal error: failed to allocate 9 bytes of memory with alignment 8")
                == LocalizableMessage(.outOfMemory, "4096"))
        #expect(name("", 11) == LocalizableMessage(.stackOverflow))
        #expect(name("", 24) == LocalizableMessage(.outOfProcessorTime, "20"))
        #expect(name("", 6) == LocalizableMessage(.crashed, "SIGABRT"))
    }

    @Test(
        "The path of a symbol is the declaration that it belongs to",
        arguments: [
            (
                "(extension in A):Swift.Array< where A == Swift.Int>.subscript.getter : (Swift.Int) -> Swift.Int",
                "Swift.Array.subscript"
            ),
            (
                "async function pointer to (extension in A):Combine.Publisher.first.getter : A.Output",
                "Combine.Publisher.first"
            ),
            ("static A.B.merge<A where A: Swift.Sendable>([() async throws -> A]) async throws -> [A]", "A.B.merge"),
            ("dispatch thunk of A.B.debounce(@Sendable () async -> ()) -> ()", "A.B.debounce"),
            (
                "A.B.__allocating_init(x: any Swift.Clock<Self.Swift.Clock.Duration == Swift.Duration>) -> A.B",
                "A.B.__allocating_init"
            ),
            ("protocol conformance descriptor for A.B<A> : Swift.AsyncSequence in A", "A.B"),
            (
                "opaque type descriptor for <<opaque return type of (extension in A):Combine.Publisher.map<A>((A.Output) -> A1) -> some>>",
                "Combine.Publisher.map"
            ),
        ])
    func paths(symbol: String, path: String) {
        #expect(declarationPath(symbol).joined(separator: ".") == path)
    }

    @Test(
        "The path of an operator is not the path of its type",
        arguments: ["A.== infix(Swift.Int, Swift.Int) -> Swift.Bool", "A.< infix(Swift.Int, Swift.Int) -> Swift.Bool"])
    func operators(symbol: String) {
        #expect(declarationPath(symbol) != ["A"])
    }
}
