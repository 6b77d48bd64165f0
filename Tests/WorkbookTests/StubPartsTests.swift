import Testing
import Workbook

@Suite("The parts of a stub")
struct StubPartsTests {
    private static let stub = """
        import Combine

        /// What both return.
        public protocol Source {
            func first() -> Int
        }

        public final class Box<T>: Source {
            @Published public private(set) var count: Int = 0 { didSet { print(count) } }
            public var isFull: Bool { false }
            private let names: [String] = { ["a"] }()

            public init(limit: Int) {
                // Write this initializer.
            }

            public func first() -> Int {
                0
            }

            public func put(_ item: T, at place: Int = 0, then: @escaping (T, Int) -> Void = { _, _ in }) {
                // Write this function.
            }

            public func put(all items: [String: T]) {}
        }

        extension Publisher {
            public func task(_ body: @escaping (Output) async -> Int) -> Int { 0 }
        }

        extension Publisher where Failure == any Error {
            public func task(_ body: @escaping (Output) async -> Int) -> Int { 0 }
        }

        public func free() -> String {
            "}"
        }

        """

    @Test("stand in a submission at their names; of several of one name, at the one with its labels or constraints")
    func position() {
        let submission = Array(Self.stub.replacing("import Combine\n", with: "").utf8)
        func position(_ part: String) -> [Int]? {
            StubParts(Array(Self.stub.utf8)).position(of: part, in: submission).map { [$0.line, $0.column] }
        }
        #expect(position("put(all:)") == [24, 17])
        #expect(position("isFull") == [9, 16])
        #expect(position("task where Failure == any Error") == [32, 17])
        #expect(position("other") == nil)
    }

    @Test("may be called by other code of a submission that has their names")
    func mentioned() {
        func mentioned(_ submission: String, _ parts: Set<String>) -> Set<String> {
            StubParts.mentioned(parts, in: Array(submission.utf8))
        }
        let start = "public func start() { start() }\n"
        let stop = "public func stop() {}\n"
        let parts: Set = ["start", "stop"]
        // What a part says of itself, and what a comment says, is no call.
        #expect(mentioned(start + "// stop\n" + stop, parts) == [])
        #expect(mentioned("deinit { stop() }\n" + start + stop, parts) == ["stop"])
        #expect(mentioned(start + "public func stop() { start() }\n", parts) == ["start"])
        // Of two parts of one name, either may call the other.
        let both = "func put(_ item: Int) {}\nfunc put(all: [Int]) { put(1) }\n"
        #expect(mentioned(both, ["put(_:)", "put(all:)"]) == ["put(_:)", "put(all:)"])
    }

    private func unwritten(_ parts: String..., changing change: (String) -> String) -> Set<String> {
        StubParts(Array(Self.stub.utf8)).unwritten(Set(parts), in: Array(change(Self.stub).utf8))
    }

    @Test(
        "are functions, initializers and computed properties, with names as short as the stub allows",
        arguments: [
            ("free", true), ("free()", true), ("first", true), ("isFull", true), ("init", true),
            ("init(limit:)", true), ("put(_:at:then:)", true), ("put(all:)", true), ("task", true),
            ("task(_:)", true), ("task where Failure == any Error", true),
            ("task(_:) where Failure==any Error", true),
            // Two parts have this name, no part has it, and a stored property is not a part.
            ("put", false), ("put(_:)", false), ("gone", false), ("task where Failure == Never", false),
            ("count", false), ("names", false), ("Box", false), ("", false),
        ])
    func names(part: String, isThere: Bool) {
        #expect(StubParts(Array(Self.stub.utf8)).has(part) == isThere)
    }

    @Test("None is reported for a submission that is the stub with other comments and spaces")
    func onlyComments() {
        let changed = unwritten("free", "first") {
            $0.replacing("// Write this function.", with: "/* to do */").replacing("    ", with: "\t") + "// end\n"
        }
        #expect(changed == [])
    }

    @Test("Those with the stub's body are not written, and the others are written")
    func bodies() {
        let changed = unwritten("free", "first", "isFull", "init", "put(all:)") {
            $0.replacing("\"}\"", with: "\"{\"").replacing("{ false }", with: "{ count > 0 }").replacing(
                "// Write this initializer.", with: "count = limit")
        }
        #expect(changed == ["first", "put(all:)"])
    }

    @Test("Two with one name are compared by their own bodies")
    func extensions() {
        let changed = unwritten("task", "task where Failure == any Error") {
            $0.replacing(
                "any Error {\n    public func task(_ body: @escaping (Output) async -> Int) -> Int { 0",
                with: "any Error {\n    public func task(_ body: @escaping (Output) async -> Int) -> Int { 1")
        }
        #expect(changed == ["task"])
    }

    @Test("Other code with other names does not matter")
    func additions() {
        let changed = unwritten("free", "first") {
            $0.replacing("public func first", with: "private func more() -> Int { 1 }\n\n    public func first")
                + "struct Mine { func first(_ place: Int) -> Int { free() } }\n"
        }
        #expect(changed == ["free", "first"])
    }

    @Test(
        "A part that is somewhere else, there twice or missing counts as written",
        arguments: [
            ("public func first() -> Int {", "public func first(_ place: Int) -> Int {"),
            ("public final class Box<T>", "public final class Crate<T>"),
            ("public func first() -> Int {", "func first() -> Int { 0 }\n    public func first() -> Int {"),
            ("import Combine", "extension Crate { public func first() -> Int { 1 } }"),
            ("        0\n    }", "        0\n    "), ("import Combine", "\"\"\""), ("import Combine", "((("),
            ("import Combine", "{{{{"),
        ])
    func restructured(old: String, new: String) {
        #expect(unwritten("first") { $0.replacing(old, with: new) } == [])
    }

    @Test(
        "are looked for in any text, and each word of the text is read once",
        arguments: ["func ", "extension ", "func f(", "init ", "{ ", "( ", "struct A { ", "# "])
    func anyText(word: String) {
        let text = String(repeating: word, count: 50_000)
        #expect(StubParts(Array(Self.stub.utf8)).unwritten(["first"], in: Array(text.utf8)) == [])
    }
}
