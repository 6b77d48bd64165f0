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

    @Test("A pointer")
    func pointer() async throws {
        let code = "let place = UnsafeMutablePointer<Int>.allocate(capacity: 1)"
        #expect(try await Self.rejection(code) == .rejectedUnsafe)
    }
}
