import Foundation
import Testing
import Workbook

@testable import Grading

@Suite("The verdict says why honest code is refused", .serialized)
struct HonestRejectionTests {
    static func rejection(_ code: String) async throws -> LocalizableMessage.Key? {
        let verdict = try await FixtureWorkbook.grade(code + "\n" + FixtureWorkbook.answer())
        return verdict.outcome == .rejected ? verdict.diagnostics.first?.message.key : nil
    }

    @Test("A custom executor")
    func executor() async throws {
        let key = try await Self.rejection(
            """
            import Dispatch
            final class OnAQueue: SerialExecutor {
                private let queue = DispatchQueue(label: "executor")
                func enqueue(_ job: consuming ExecutorJob) {
                    let job = UnownedJob(job)
                    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
                }
            }
            """)
        #expect(key == .rejectedExecutor)
    }

    @Test("A format string that cannot be checked")
    func format() async throws {
        let code = "import Foundation\nfunc text() -> NSString { NSString(format: \"%d\", 3) }"
        #expect(try await Self.rejection(code) == .rejectedFormat)
    }

    @Test("A regular expression that can be read in two ways")
    func regularExpression() async throws {
        #expect(try await Self.rejection("let path = /[/*]/\nlet end = 1") == .ambiguousRegularExpression)
    }

    @Test("A closure that is said not to escape")
    func escapingClosure() async throws {
        let code = "func twice(_ work: () -> Void) { withoutActuallyEscaping(work) { $0(); $0() } }"
        #expect(try await Self.rejection(code) == .rejectedEscaping)
    }

    @Test("A function type of C's")
    func convention() async throws {
        let code = "import Foundation\nlet root: @convention(c) (Double) -> Double = sqrt"
        #expect(try await Self.rejection(code) == .rejectedCFunction)
    }

    @Test("A pointer")
    func pointer() async throws {
        let code = "let place = UnsafeMutablePointer<Int>.allocate(capacity: 1)"
        #expect(try await Self.rejection(code) == .rejectedUnsafe)
    }

    @Test(
        "What is found in the object is rejected at the line that uses it",
        arguments: [
            ("func stop() { exit(1) }", 4), ("func stop() {\n    abort()\n}", 5),
            ("// exit(1)\nlet text = \"exit(1)\"\nfunc stop() { print(\"\\(exit(1))\") }", 6),
            ("func exitCode() -> Int { 1 }\nfunc stop() { let exit = 1; Glibc.exit(Int32(exit)) }", 5),
            ("let home = ProcessInfo.processInfo\n    .environment[\"HOME\"]", 5),
            ("let name = ProcessInfo.processInfo.arguments", 4),
            ("func store() {\n\n    UserDefaults.standard.set(1, forKey: \"a\") }", 6),
            ("let bundle = Bundle.main", 4), ("let files = FileManager.default", 4),
            (
                "func f(_ list: inout [Int]) { list.append(contentsOf: [1]) }\n"
                    + "func g(_ url: URL) { _ = try? Data(contentsOf: url) }", 5
            ),
            ("func f() -> String { String(describing: 1) }\nfunc g() -> NSString { NSString(format: \"%d\", 3) }", 5),
            ("func twice(_ work: () -> Void) {\n    `withoutActuallyEscaping`(work) { $0() } }", 5),
            ("func twice(_ work: () -> Void) {\n    withoutActuallyEscaping(work) { $0() } }", 5),
            ("final class Mine: TaskExecutor { func enqueue(_ job: consuming ExecutorJob) { _ = job.priority } }", 4),
        ])
    func line(code: String, line: Int) async throws {
        let verdict = try await FixtureWorkbook.grade(
            "import Foundation\nimport Glibc\n\n\(code)\n\(FixtureWorkbook.answer())")
        #expect(verdict.outcome == .rejected && verdict.diagnostics.first?.line == line, "\(verdict.summary)")
    }

    @Test("Networking that is used does not compile, and the import says why")
    func networking() async throws {
        let code = """
            import Foundation
            #if canImport(FoundationNetworking)
            import FoundationNetworking
            #endif
            func load(_ url: URL) async throws -> Data { try await URLSession.shared.data(from: url).0 }

            """
        let verdict = try await FixtureWorkbook.grade(code + FixtureWorkbook.answer())
        #expect(verdict.outcome == .didNotCompile)
        let first = try #require(verdict.diagnostics.first)
        #expect(first.message == LocalizableMessage(.rejectedImport, "FoundationNetworking"))
        #expect(first.line == 3)
        #expect(verdict.diagnostics.contains { $0.line == 5 && $0.severity == .error })
    }

    @Test("An error that has nothing to do with networking comes without a word about it")
    func networkingUnused() async throws {
        let verdict = try await FixtureWorkbook.grade(
            "import FoundationNetworking\nlet x: Int = true\n" + FixtureWorkbook.answer())
        #expect(verdict.outcome == .didNotCompile && verdict.diagnostics.map(\.line) == [2], "\(verdict.summary)")
    }
}
