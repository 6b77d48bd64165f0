import Workbook

/// What learners get of a workbook: stubs and briefs, and a package that an editor can open. No suite, no answer.
struct Handout: Sendable, Equatable {
    /// A kata as far as learners may see it.
    struct Item: Sendable, Equatable {
        var kata: String
        var stub: String
        /// The briefs by the names of their files.
        var briefs: [String: String]
        /// The core tests by the names of their files; empty where learners get none.
        var tests: [String: String] = [:]
    }

    var items: [Item]
    /// How to work with it, in the learner's language.
    var readMe: String
    /// Whether the package brings Combine along, for platforms that have none.
    var bringsCombine: Bool

    /// What the package builds katas with. It is hidden, so that none of its files is taken for a learner's.
    static let support = ".support"

    /// The modules that go to `support`.
    var modules: [String] {
        let hasTests = items.contains { !$0.tests.isEmpty }
        return (bringsCombine ? ["Combine"] : []) + (hasTests ? ["KataSupport"] : [])
    }

    /// The text of each file by its path.
    func files(manifest: String) -> [String: String] {
        var files = packageFiles(manifest: manifest)
        for item in items {
            files["Exercises/\(item.kata)/\(item.kata).swift"] = item.stub
            // There is no grader in a handout: a brief ends with what can be done there.
            let step = item.tests.isEmpty ? "swift build" : "swift test --filter \(item.kata)Tests"
            for (file, text) in item.briefs {
                files["Exercises/\(item.kata)/\(file)"] = text.replacing(
                    "swift run grader check \(item.kata)", with: step)
            }
            for (file, text) in item.tests { files["Tests/\(item.kata)Tests/\(file)"] = text }
        }
        return files
    }

    /// The package's own files, without stubs, briefs and tests.
    func packageFiles(manifest: String) -> [String: String] {
        ["Package.swift": filled(manifest), "README.md": readMe, ".gitignore": ".build\n.DS_Store\n"]
    }

    private func filled(_ manifest: String) -> String {
        manifest.replacing("NEEDS_COMBINE", with: "\(bringsCombine)")
            .replacing("TESTED", with: "\(items.filter { !$0.tests.isEmpty }.map(\.kata))")
            .replacing("KATAS", with: "\(items.map(\.kata))")
            .replacing("BRIEFS", with: "\(Set(items.flatMap(\.briefs.keys)).sorted())")
    }
}
