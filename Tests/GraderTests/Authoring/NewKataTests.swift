import Foundation
import Testing
import Workbook

@testable import grader

@Suite("The files of a new kata")
struct NewKataTests {
    private let kata = NewKata(name: "Retry", phase: 2, order: 7)

    @Test(
        "A kata's name is a valid name of a module that is not taken",
        arguments: [
            ("Retry", true), ("Retry2", true), ("retry", false), ("Re-try", false), ("", false), ("Combine", false),
            ("RetryTests", false), ("Réglage", false),
        ])
    func names(name: String, isName: Bool) {
        #expect(NewKata.isName(name) == isName)
    }

    @Test("The package's list of katas stays sorted, and has each kata once")
    func manifest() throws {
        let text = "let katas: [String] = [\n    \"Alpha\",\n    \"Zeta\",\n]\nmore\n"
        let added = kata.added(toManifest: text)
        #expect(added == "let katas: [String] = [\n    \"Alpha\",\n    \"Retry\",\n    \"Zeta\",\n]\nmore\n")
        #expect(added.flatMap(kata.added) == added)
        #expect(kata.added(toManifest: "let package = Package(name: \"X\")") == nil)
        // The manifest that a new workbook gets finds its katas by itself.
        let own = NewKata.workbookFiles(from: try KataNewCommand.template())["Package.swift"]
        #expect(own.flatMap(kata.added) == own && own != nil)
        #expect(
            kata.added(toManifest: "let katas: [String] = [\n]\n") == "let katas: [String] = [\n    \"Retry\",\n]\n")
    }

    @Test("All names of the template are replaced, and texts without a translation are marked")
    func files() throws {
        let files = try kata.files(from: KataNewCommand.template())
        #expect(files.count == 19)
        for (path, text) in files {
            #expect(!text.contains("KataName") && !text.contains("LanguageName") && !text.isEmpty, "\(path)")
        }
        let manifest = try JSONDecoder().decode(Kata.self, from: Data((files["Exercises/Retry/kata.json"] ?? "").utf8))
        #expect(manifest.order == 7 && manifest.phase == 2)
        let korean = try StringCatalog(Data((files["Exercises/Retry/Hints.xcstrings"] ?? "").utf8), language: .korean)
        #expect(korean.untranslated == korean.keys)
        #expect(
            files["Exercises/Retry/README.ko.md"]?.hasPrefix("<!-- TODO: translate this page into Korean. -->") == true)
    }

    @Test("A workbook of two languages gets texts in these two")
    func languages() throws {
        var kata = kata
        kata.languages = [.english, .korean]
        let files = try kata.files(from: KataNewCommand.template())
        #expect(
            files.keys.filter { $0.hasSuffix(".md") }.sorted()
                == ["Exercises/Retry/README.ko.md", "Exercises/Retry/README.md"])
        let catalog = Data((files["Exercises/Retry/Hints.xcstrings"] ?? "").utf8)
        let json = try #require(try JSONSerialization.jsonObject(with: catalog) as? [String: Any])
        let strings = try #require(json["strings"] as? [String: [String: Any]])
        #expect(strings.values.allSatisfy { ($0["localizations"] as? [String: Any])?.keys.sorted() == ["en", "ko"] })
    }
}

@Suite("The part of a suite that learners may see")
struct CoreSuiteTests {
    private let kata = Kata(
        kata: "K", order: 1, phase: 1, interface: [],
        tests: [
            KataTest(id: "KTests/keeps()", framework: .testing, tier: .core, points: 1, hint: "a"),
            KataTest(id: "KTests/goes()", framework: .testing, tier: .robust, points: 1, hint: "b"),
            KataTest(id: "KTests/goesWith(number:)", framework: .testing, tier: .robust, points: 1, hint: "c"),
            KataTest(id: "KXCTests/testGoes", framework: .xctest, tier: .robust, points: 1, hint: "d"),
        ])

    private let source = """
        import Testing

        @Suite struct KTests {
            let clock = TestClock() // goes() stays in a comment

            /// It keeps.
            @Test func keeps() { #expect("func goes() {" == "}") }

            /// It goes.
            @Test("With braces: }") func goes() async throws {
                if true { helper() }
            }

            @Test(arguments: [
                (1), (2),
            ])
            func goesWith(number: Int) { let text = "\\(number) }" }

            func helper() {}
        }

        final class KXCTests: XCTestCase {
            func goes() {}
            func testGoes() {}
            func testStays() {}
        }

        """

    @Test("Tests that are not core are removed with their attributes and comments, and nothing else is removed")
    func removes() {
        let text = CoreSuite(kata: kata).text(of: source)
        let expected = """
            import Testing

            @Suite struct KTests {
                let clock = TestClock() // goes() stays in a comment

                /// It keeps.
                @Test func keeps() { #expect("func goes() {" == "}") }

                func helper() {}
            }

            final class KXCTests: XCTestCase {
                func goes() {}
                func testStays() {}
            }

            """
        #expect(text == expected)
    }
}
