import Testing
import Workbook

@Suite("Whether the code of a hint stands in a source")
struct HintCodeTests {
    private func stands(_ hint: String, in source: String) throws -> Bool {
        try #require(HintCode("Do this:\n\n```swift\n\(hint)\n```")).stands(in: Array(source.utf8))
    }

    private let hint = "lock.withLock { waiting.append(continuation) }\npublisher.subscribe(self)"

    @Test("Each line has to be there, in their order and close together, with any names for variables")
    func lines() throws {
        let kept = "mutex.withLock { callers.append(caller) }"
        #expect(try stands(hint, in: "\(kept)\ncount += 1\nsource.subscribe(self)"))
        #expect(try !stands(hint, in: "source.subscribe(self)\n\(kept)"))
        #expect(try !stands(hint, in: "\(kept)\n\(String(repeating: "count += 1\n", count: 20))source.subscribe(self)"))
        #expect(try !stands(hint, in: "source.subscribe(self)"))
    }

    @Test("What is called and which member it is has to be the same")
    func names() throws {
        #expect(try !stands(hint, in: "mutex.withLock { callers.insert(caller) }\nsource.subscribe(self)"))
        #expect(try !stands(hint, in: "lock.lock(); waiting.append(continuation)\nsource.subscribe(self)"))
    }

    @Test("Comments, declarations and lines with a gap do not count")
    func gaps() throws {
        let more = "func begin() {\n\(hint)  // here\ncontinuation.resume(returning: …)\n}"
        #expect(try stands(more, in: hint))
    }

    @Test("Too little code is not told from other code")
    func tooLittle() {
        #expect(HintCode("```swift\npublisher.subscribe(self)\n```") == nil)
        #expect(HintCode("```swift\ntask.cancel()\ntask = nil\n```") == nil)
        #expect(HintCode("Cancel the task.") == nil)
        #expect(HintCode("```swift\nextension Publisher {\n    func run() { task.cancel() }\n}\n```") == nil)
    }
}
