import Testing
import Workbook

@Suite("What a submission's code is built of")
struct CodeFeatureTests {
    private func features(_ source: String) -> Set<CodeFeature> {
        let names = Set(CodeFeature.allCases.map(\.rawValue))
        return Set(CodeFeature.found(in: Array(source.utf8), of: names).compactMap(CodeFeature.init))
    }

    @Test("What is one word in the code is named by that word")
    func names() {
        let source = Array("values.flatMap { $0 } // debounce".utf8)
        #expect(CodeFeature.found(in: source, of: ["flatMap", "flat", "debounce", "loop"]) == ["flatMap"])
    }

    @Test("The words of the code decide, and not those of comments and strings")
    func words() {
        #expect(features("for await value in publisher.values { print(value) }") == [.loop])
        #expect(features("try await withCheckedThrowingContinuation { $0.resume() }") == [.continuation])
        #expect(features("// for await\nlet text = \"withTaskGroup\"").isEmpty)
        #expect(features("final class Sink: Subscriber { private let lock = NSLock() }") == [.subscriber, .lock])
        #expect(features("await withTaskGroup(of: Int.self) { $0.addTask { 1 } }") == [.taskGroup])
        #expect(features("") == [])
    }

    @Test("A task inside another one is nested, and two that follow one another are not")
    func nestedTask() {
        #expect(features("Task { Task.detached { await work() } }").contains(.nestedTask))
        #expect(features("group.addTask { Task { await work() } }").contains(.nestedTask))
        #expect(features("Task { if ready { Task(priority: .high) { await work() } } }").contains(.nestedTask))
        #expect(!features("Task { await work() }\nTask { await work() }").contains(.nestedTask))
        #expect(!features("Task { try await Task.sleep(for: .seconds(1)) }").contains(.nestedTask))
        #expect(!features("func run() -> Task<Void, Never> { Task { await work() } }").contains(.nestedTask))
        #expect(!features("func run() { Task { await work() } }").contains(.nestedTask))
    }

    @Test("A wait for the value of a task is told from a property that is read")
    func taskValue() {
        #expect(features("return try await task.value").contains(.taskValue))
        #expect(features("switch await task.result { default: break }").contains(.taskValue))
        #expect(!features("return box.value").contains(.taskValue))
        #expect(!features("for await value in publisher.values { }").contains(.taskValue))
    }

    @Test("State is global at the top of the file and where it is static, unless it cannot change")
    func global() {
        #expect(features("private var kept: [Any] = []\nstruct A {}").contains(.global))
        #expect(features("final class A { static let all = Mutex<[A]>([]) }").contains(.global))
        #expect(features("enum Store { static var count = 0 }").contains(.global))
        #expect(!features("let limit = 3\nstruct A { var all: [Int] = [] }").contains(.global))
        #expect(!features("final class A { static let shared = A() }").contains(.global))
        #expect(!features("extension Publisher { static var nothing: Int { 0 } }").contains(.global))
        #expect(!features("func f() { var all: [Int] = [] }").contains(.global))
    }

    @Test("A collection that only grows is told from one from which something is taken")
    func growing() {
        #expect(features("tasks.append(task)").contains(.growing))
        // What an object stores there goes with the object.
        #expect(!features("publisher.sink { }.store(in: &cancellables)").contains(.growing))
        #expect(!features("tasks.append(task); tasks.removeFirst()").contains(.growing))
        #expect(!features("tasks.append(task); tasks = []").contains(.growing))
        #expect(!features("tasks.insert(task); tasks[id] = nil").contains(.growing))
        #expect(features("var tasks = [Task]()\ntasks.append(task)").contains(.growing))
        #expect(features("tasks.append(task); if tasks == [] { return }").contains(.growing))
    }
}
