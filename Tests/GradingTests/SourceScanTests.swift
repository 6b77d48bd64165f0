import Testing
import Workbook

@testable import Grading

@Suite("The scan of a submission's text")
struct SourceScanTests {
    static func found(_ text: String) -> String? {
        SourceScan.rejection(Array(text.utf8)).map { "\($0.message.arguments[0]) \($0.line):\($0.column)" }
    }

    @Test(
        "Attributes that reach outside the submission are found wherever code can be",
        arguments: [
            ("@_cdecl(\"x\") func f() {}", "@_cdecl 1:1"),
            ("func a() {}\n    @_silgen_name(\"x\") func f()", "@_silgen_name 2:5"),
            ("@ _silgen_name(\"x\") func f()", "@_silgen_name 1:1"),
            ("@/* why */_silgen_name(\"x\") func f()", "@_silgen_name 1:1"),
            ("@`_cdecl`(\"x\") func f() {}", "@_cdecl 1:1"),
            ("let s = \"\\({ @_cdecl(\"x\") func f() {} }())\"", "@_cdecl 1:14"),
            ("let s = \"a\"; @_transparent func f() {}", "@_transparent 1:14"),
            ("let s = #\"\\\"#; @backDeployed(before: macOS 15) func f() {}", "@backDeployed 1:16"),
            ("let r = #/\"/#; @_used let x = 1", "@_used 1:16"),
            ("let s = \"\"\"\n  \"\" \\\"\"\" \n  \"\"\"; @_section(\"x\") let y = 1", "@_section 3:8"),
            ("/* /* */ */ @_spi(X) import Foundation", "@_spi 1:13"),
            ("\r\n\r\n@_cdecl(\"x\") func f() {}", "@_cdecl 3:1"),
            ("#sourceLocation(file: \"a\", line: 1)", "#sourceLocation 1:1"),
            ("public macro m() = #externalMacro(module: \"M\", type: \"T\")", "macro 1:8"),
            ("let a = #\"\"\"#\n@_used let b = #\"\"\"#", "@_used 2:1"),
            ("let `\"\"\"` = 1\n@_used let `x\"\"\"` = 2", "@_used 2:1"),
            ("let r = #/  \n\"\"\"\n/#\n@_used let t = \"\"\"\n\"\"\"", "@_used 4:1"),
            ("let s = \"a way that nobody thought of: @_silgen_name\"", "@_silgen_name 1:41"),
            ("@exclusivity(unchecked) var x = 1", "@exclusivity 1:1"), ("@testable import Combine", "@testable 1:1"),
        ])
    func attributes(text: String, expected: String) {
        #expect(Self.found(text) == expected)
    }

    @Test(
        "Attributes that matter only to other modules are removed before the text is compiled",
        arguments: [
            ("@frozen struct S {}", "        struct S {}"), ("@ inlinable func f() {}", "            func f() {}"),
            ("let s = \"@frozen\" // @frozen", "let s = \"@frozen\" // @frozen"),
            ("@usableFromInline\n@inlinable\nfunc f() {}", "                 \n          \nfunc f() {}"),
        ])
    func blanked(text: String, compiled: String) throws {
        #expect(try Self.compiled(text) == compiled)
    }

    static func compiled(_ text: String) throws -> String {
        String(decoding: try SourceScan.findings(in: Array(text.utf8)).get().bytes, as: UTF8.self)
    }

    @Test(
        "An import of networking is removed before the text is compiled, and every line keeps its number",
        arguments: [
            ("import FoundationNetworking", ""), ("a\nimport FoundationNetworking\nb", "a\n\nb"),
            ("@preconcurrency import FoundationNetworking", ""), ("public import FoundationNetworking", ""),
            ("internal\n import\n FoundationNetworking // b", "\n\n // b"),
            ("@preconcurrency public import struct FoundationNetworking.URLRequest", ""),
            ("import Foundation; import FoundationNetworking; import Combine", "import Foundation;  import Combine"),
            ("public import Combine\nimport FoundationNetworking", "public import Combine\n"),
            (
                "#if canImport(FoundationNetworking)\nimport FoundationNetworking\n#else\nimport A\n#endif",
                "#if canImport(FoundationNetworking)\n\n#else\nimport A\n#endif"
            ),
            (
                "let FoundationNetworking = \"import FoundationNetworking\"",
                "let FoundationNetworking = \"import FoundationNetworking\""
            ),
        ])
    func networking(text: String, compiled: String) throws {
        let found = try Self.compiled(text)
        #expect(found.utf8.count == text.utf8.count)
        func words(_ text: String) -> [[Substring]] {
            text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.split(separator: " ") }
        }
        #expect(words(found) == words(compiled))
    }

    @Test(
        "What is removed hides nothing from the scan",
        arguments: [
            "import @frozen Testing", "import import FoundationNetworking Testing",
            "unowned @frozen (unsafe) var x: C?", "unowned import FoundationNetworking;(unsafe) var x: C?",
        ])
    func hiding(text: String) {
        #expect(SourceScan.rejection(Array(text.utf8)) != nil)
    }

    @Test(
        "A function type of C's is found, and a block is allowed",
        arguments: [
            ("let f: @convention(c) () -> Void", "@convention(c) 1:20"),
            ("let f: @ convention /* x */ ( c , cType: \"a\")", "@convention(c) 1:31"),
            ("let f: @`convention`(`c`) () -> Void", "@convention(c) 1:22"),
            ("let f: @convention(block) () -> Void // @convention(c)", nil),
        ])
    func conventions(text: String, expected: String?) {
        #expect(Self.found(text) == expected)
    }

    @Test(
        "A name for the linker may be in a comment, and nowhere else",
        arguments: [
            ("// @_silgen_name\n", false), ("/* /* */ _extern */ let x = 1 /// @_silgen_name", false),
            ("/* */ let _silgen_name = 1", true), ("let x = /[/*]/\n_extern\nlet y = /[*/]/", true),
            ("let s = \"//\"; let _extern = 1", true),
        ])
    func linkNames(text: String, isRefused: Bool) {
        #expect((SourceScan.rejection(Array(text.utf8)) != nil) == isRefused)
    }

    @Test(
        "A slash is allowed if division and regular expression lead to the same code",
        arguments: [
            "let r = /a+/", "let r = /\"[^\"]*\"/", "f(/\\/usr\\/(\\w+)/, /x/)", "let x = a / b / c", "let x = a/b/c",
            "return/x/", "let x = (a+b)/2/c", "x.map(/)", "let r = /[(]/ // \"", "let r = /#/#/ ", "{ $0 /2 }(3)/4",
        ])
    func slashes(text: String) {
        #expect(Self.key(text) == nil)
    }

    @Test(
        "If they lead to different code, the text is refused",
        arguments: [
            "let r = /\"\"\"/\nunsafe f()\n/\"\"\"/", "let r = /[/*]/\nlet x = 1\n/[*/]/",
            "let r = /\"/; @_cdecl(\"\") func f() {}",
            "let r = /(\"\\(/; f()", "return/\"\"\"/\nunsafe f()\n\"\"\"/ x",
            "let a = /x" + String(repeating: "y", count: 3000) + "/",
        ])
    func ambiguous(text: String) {
        #expect(Self.key(text) == .ambiguousRegularExpression)
    }

    @Test(
        "An interpolation with text at which the compiler may end it is refused",
        arguments: [
            "let s = \"\\(`a\"b`)\"", "let s = \"\\(#/\"/#)\"", "let s = \"\\(/)/.self)\"",
            "let s = \"\"\"\n\\(`(`)\n\"\"\"",
        ])
    func interpolations(text: String) {
        #expect(Self.key(text) == .ambiguousInterpolation)
    }

    static func key(_ text: String) -> LocalizableMessage.Key? { SourceScan.rejection(Array(text.utf8))?.message.key }

    @Test(
        "Functions that the standard library has only for the compiler are found by name",
        arguments: ["_bridgeObject", "`_nativeObject`"])
    func privateNames(name: String) {
        #expect(Self.key("let x = \(name)(1)") == .rejectedUnsafe)
        #expect(Self.key("// \(name)") == nil)
    }

    @Test("A lock on the heap is found")
    func heapLocks() throws {
        func isNoticed(_ text: String) throws -> Bool {
            try SourceScan.findings(in: Array(text.utf8)).get().keepsLocksOnHeap
        }
        #expect(try isNoticed("let l: UnsafeMutablePointer<pthread_mutex_t>"))
        #expect(try !isNoticed("let l: UnsafeMutablePointer<Int>, m = pthread_mutex_t()"))
    }

    @Test(
        "The time to read a text grows linearly with its length, up to the largest size",
        arguments: [
            "#", "/\\", "/x", "unsafe ", "\"\\(", "/*", "#\"\"\"", "`", "@frozen /x/\n", "@", "/a/ /b/ /c/ /d/\n",
            "\"#", "#\"\"\"a\\#(",
        ])
    func largest(part: String) {
        let text = String(repeating: part, count: Limits().sourceBytes / part.utf8.count)
        if case .failure(let rejection) = SourceScan.findings(in: Array(text.utf8), within: 1e6) {
            #expect(rejection.message.key != .readingTimedOut)
        }
    }

    @Test("Reading ends when its time is used up, and says so", arguments: ["a ", "x(/a/) "])
    func deadline(part: String) {
        let text = String(repeating: part, count: 100_000)
        guard case .failure(let rejection) = SourceScan.findings(in: Array(text.utf8), within: 0) else {
            Issue.record("it was read")
            return
        }
        #expect(rejection.message == LocalizableMessage(.readingTimedOut, "0"))
    }

    @Test(
        "The marker that silences the check of memory is found before any expression",
        arguments: [
            "unsafe f()", "unsafe/* */f()", "unsafe\u{B}f()", "unsafe\u{C}f()", "unsafe -1", "unsafe (f())",
            "unsafe [f()]",
            "unsafe\"\\(f())\"", "unsafe{ f() }()", "unsafe#line", "unsafe`f`()", "g(nonisolated(unsafe f()))",
            "try await unsafe f()",
        ])
    func silenced(text: String) {
        #expect(Self.found(text)?.hasPrefix("unsafe ") == true)
    }

    @Test(
        "Text that only looks like a refused name is allowed",
        arguments: [
            "// @_cdecl(\"x\")", "/* @_cdecl /* nested */ @_cdecl */", "let s = \"@_cdecl\"",
            "let s = #\"@_cdecl \"quoted\" \"#",
            "let s = \"\"\"\n@_cdecl import Testing\n\"\"\"", "let r = #/@_cdecl/#", "@MainActor func f() {}",
            "@_disfavoredOverload func f() {}",
            "@available(*, deprecated) @discardableResult func f() -> Int { #line }",
            "let a = b.unsafe", "f(unsafe, unsafe: unsafe)", "unsafe(1)", "nonisolated(unsafe) var x = 1",
            "func unsafe() {}", "let unsafe = 1",
            "unsafe && x", "!unsafe && unsafe == false", "unsafe ? 1 : 2",
            "import Foundation\nimport struct Foundation.Date\nimport class Combine.AnyCancellable", "let macro = 1",
            "let Testing = 1; let x = Testing", "@preconcurrency import Foundation",
            "let text = \"\\(\"nested \\(1)\")\" // @_cdecl",
        ])
    func harmless(text: String) {
        #expect(Self.found(text) == nil)
    }

    @Test(
        "The suite's own modules may not be imported, with any form of import",
        arguments: [
            ("import Testing", "Testing 1:8"), ("@preconcurrency import KataSupport", "KataSupport 1:24"),
            ("import struct KataSupport.Values", "KataSupport 1:15"), ("import\n  XCTest", "XCTest 2:3"),
            ("import `Testing`", "Testing 1:8"), ("import /* x */ Testing", "Testing 1:16"),
            ("import Runtime", "Runtime 1:8"),
        ])
    func imports(text: String, expected: String) {
        #expect(Self.found(text) == expected)
    }

    @Test(
        "The marker that silences the check of memory is refused",
        arguments: [
            "let x = unsafe f()", "unsafe p.pointee = 1", "return unsafe [1]", "unsafe (1)", "for unsafe x in y {}",
            "unowned(unsafe) var x: C?",
        ])
    func unsafe(text: String) {
        #expect(SourceScan.rejection(Array(text.utf8))?.message.key == .rejectedUnsafe)
    }

    // MARK: What a person should look at

    static func reasons(_ text: String) throws -> [ReasonToLook] {
        try SourceScan.findings(in: Array(text.utf8)).get().reasonsToLook
    }

    @Test(
        "What no right answer has is a reason to look, with its line",
        arguments: [
            ("#if canImport(Glibc)\nimport Glibc\n#endif", .lookCModule, "Glibc", 2),
            ("let a = UInt(bitPattern: id)", .lookBits, "bitPattern", 1),
            ("\nlet a = MemoryLayout<Int>.size", .lookBits, "MemoryLayout", 2),
            ("let a = \"\\(0x4141_4141)\"", .lookNumber, "0x4141_4141", 1),
        ] as [(String, LocalizableMessage.Key, String, Int)])
    func unusual(text: String, key: LocalizableMessage.Key, word: String, line: Int) throws {
        #expect(try Self.reasons(text) == [ReasonToLook(LocalizableMessage(key, word), line: line)])
    }

    @Test(
        "What looks like it is no reason",
        arguments: [
            "// import Glibc 0x41414141", "let s = \"bitPattern 0x41414141\"", "let Glibc = 1; Darwin.self",
            "let pi = 3.14159265358979", "Task.sleep(nanoseconds: 1_500_000_000)", "let mask: UInt8 = 0xFF",
            "let x = 1e300, y = 12345, z = a1234567", "import Foundation",
        ])
    func usual(text: String) throws {
        #expect(try Self.reasons(text) == [])
    }

    @Test("No known right answer of this workbook has a reason to look")
    func knownAnswers() throws {
        let workbook = try #require(MutantTests.workbook)
        var seen = 0
        for kata in MutantTests.katas {
            for answer in KataFiles(kata, in: workbook).answers().answers where [.model, .right].contains(answer.kind) {
                #expect(try Self.reasons(answer.text) == [], "\(answer.path)")
                seen += 1
            }
        }
        #expect(seen >= 3 * MutantTests.katas.count && seen > 0)
    }
}
