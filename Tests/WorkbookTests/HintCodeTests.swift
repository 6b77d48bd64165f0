import Testing
import Workbook

@Suite("Whether the code of a hint stands in a source")
struct HintCodeTests {
    private func stands(_ hint: String, in source: String) throws -> Bool {
        try #require(HintCode("Do this:\n\n```swift\n\(hint)\n```")).stands(in: Array(source.utf8))
    }

    @Test("Each line has to be there, in their order and close together, with any names for variables")
    func lines() throws {
        let hint = "lock.withLock { stored = continuation }\npublisher.subscribe(self)"
        #expect(try stands(hint, in: "mutex.withLock { kept = continuation }\ncount += 1\nsource.subscribe(self)"))
        #expect(try !stands(hint, in: "source.subscribe(self)\nmutex.withLock { kept = continuation }"))
        #expect(try !stands(hint, in: "source.subscribe(self)"))
        #expect(try !stands(hint, in: "lock.lock(); stored = continuation; publisher.subscribe(self)"))
    }

    @Test("What is called and which member it is has to be the same")
    func names() throws {
        #expect(try !stands("task.cancel()\ntask.value", in: "task.resume()\ntask.value"))
    }

    @Test("Comments and lines with a gap do not count")
    func gaps() throws {
        let hint = "subscription?.cancel()  // here\ncontinuation.resume(returning: …)\nupstream.cancel()"
        #expect(try stands(hint, in: "subscription?.cancel()\nupstream.cancel()"))
    }

    @Test("A single line is too little to tell it from other code")
    func tooLittle() {
        #expect(HintCode("```swift\ntask.cancel()\n```") == nil)
        #expect(HintCode("Cancel the task.") == nil)
        #expect(HintCode("```swift\nextension Publisher {\n    func run() { task.cancel() }\n}\n```") == nil)
        #expect(HintCode("") == nil)
    }
}
