import Foundation
import Workbook

/// A workbook of katas that are as small as a kata can be, each with a real suite.
public struct SmallWorkbook: Sendable {
    public let folder: URL

    public static let stub = """
        /// Greets a person by name, and a person without a name as a stranger.
        public func greeting(_ name: String) -> String {
            ""
        }

        """

    public static let answer = """
        public func greeting(_ name: String) -> String {
            "Hello, \\(name.isEmpty ? "stranger" : name)"
        }

        """

    public static let passing = """
        public func greeting(_ name: String) -> String {
            print("I greet \\(name)")
            return "Hello, \\(name)"
        }

        """

    /// Code that does not end while a test looks at who grades it. It needs no processor.
    public static let sleeping = """
        import Foundation

        public func greeting(_ name: String) -> String {
            Thread.sleep(forTimeInterval: 3600)
            return ""
        }

        """

    /// - Parameter sharesCache: whether what was compiled for one workbook is used for this one too.
    public init(at folder: URL, katas: [String] = ["Greeting"], sharesCache: Bool = true) throws {
        self.folder = folder
        for (index, kata) in katas.enumerated() { try write(kata, order: index + 1) }
        // The phases are those of the real workbook.
        let repository = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        try put(
            "Exercises/Phases.xcstrings",
            try Data(contentsOf: repository.appendingPathComponent("Exercises/Phases.xcstrings")))
        guard sharesCache else { return }
        let own = folder.appendingPathComponent(".grader")
        try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: own.appendingPathComponent("cache"), withDestinationURL: try TestCache.folder)
    }

    public func learnerFile(_ kata: String) -> URL { folder.appendingPathComponent("Exercises/\(kata)/\(kata).swift") }

    public func learn(_ kata: String, _ source: String) throws {
        try Data(source.utf8).write(to: learnerFile(kata), options: .atomic)
    }

    /// Replaces the suite that is written with Swift Testing.
    public func test(_ kata: String, _ source: String) throws {
        try put("Tests/\(kata)Tests/\(kata)Tests.swift", source)
    }

    private func write(_ kata: String, order: Int) throws {
        let tests = [
            KataTest(id: "\(kata)Tests/greets()", framework: .testing, tier: .core, points: 1, hint: "greets"),
            KataTest(id: "\(kata)XCTests/testStranger", framework: .xctest, tier: .robust, points: 2, hint: "stranger"),
        ]
        let manifest = Kata(
            kata: kata, order: order, phase: 1, interface: ["public func greeting(_ name: String) -> String"],
            tests: tests)
        try put("Exercises/\(kata)/kata.json", try JSONEncoder().encode(manifest))
        try put("Exercises/\(kata)/Hints.xcstrings", try hints())
        try put("Exercises/\(kata)/README.md", "# \(kata)\n\nGreet people.\n")
        try put("Exercises/\(kata)/README.ko.md", "# \(kata)\n\n사람들에게 인사하세요.\n")
        try put("Exercises/\(kata)/.shipped/\(kata).swift", Self.stub)
        try put("Exercises/\(kata)/\(kata).swift", Self.stub)
        try put("Solutions/\(kata)/\(kata).swift", Self.answer)
        try put(
            "Tests/\(kata)Tests/\(kata)Tests.swift",
            """
            import \(kata)
            import Testing

            @Suite struct \(kata)Tests {
                @Test func greets() { #expect(greeting("Ann") == "Hello, Ann") }
            }

            """)
        try put(
            "Tests/\(kata)Tests/\(kata)XCTests.swift",
            """
            import \(kata)
            import XCTest

            final class \(kata)XCTests: XCTestCase {
                func testStranger() { XCTAssertEqual(greeting(""), "Hello, stranger") }
            }

            """)
    }

    private func hints() throws -> Data {
        var strings: [String: Any] = [:]
        for key in ["kata.achieved", "kata.mastering"]
            + ["greets", "stranger"].flatMap({ test in
                ["title", "1", "2", "3"].map { "\(test).\($0)" }
            })
        {
            let localizations = Language.allCases.map { language in
                (language.code, ["stringUnit": ["state": "translated", "value": "\(language.code) \(key)"]])
            }
            strings[key] = ["localizations": Dictionary(uniqueKeysWithValues: localizations)]
        }
        return try JSONSerialization.data(
            withJSONObject: ["sourceLanguage": "en", "version": "1.0", "strings": strings], options: .sortedKeys)
    }

    private func put(_ path: String, _ text: String) throws { try put(path, Data(text.utf8)) }

    private func put(_ path: String, _ data: Data) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }
}
