import Foundation
import Testing

@testable import Workbook

/// Swift has no imports inside a module, so nothing but this keeps its folders apart.
@Suite("A folder of a module uses no folder that uses it") struct FoldersTests {
    /// The folders of each module. A folder may use those before it. The module's own folder has no name.
    private static let order: [String: [String]] = [
        "Workbook": ["", "SwiftSource", "Similarity", "Class", "Interview"],
        "Storage": [""],
        "Combine": [
            "Protocols", "Internal", "Subscribers", "Schedulers", "Publishers", "Subjects", "Operators/Mapping",
            "Operators/Filtering", "Operators/Collecting", "Operators/Matching", "Operators/Positions",
            "Operators/Failing", "Operators/Flattening", "Operators/Combining", "Operators/Multicasting",
            "Operators/Buffering", "Operators/Time", "Operators/Coding", "Operators/Debugging", "Async",
            "Observable", "Foundation",
        ],
        "Grading": [
            "Values", "Cache", "Process", "Toolchain", "Run", "Engine", "Interface", "FastEngine/Inspect",
            "FastEngine/Build", "FastEngine/Run", "FastEngine", "PortableEngine", "Verdict", "", "Doctor",
            "Verification", "Class",
        ],
        "Reports": ["", "Page", "Interview", "Gradebook", "OverTime"],
        "grader": [
            "CommandLine", "Terminal", "Session", "Watch", "Authoring", "Interview", "Class", "LanguageServer",
            "Commands", "",
        ],
    ]
    /// These are not part of the module around them: programs and texts that it compiles or copies.
    private static let others = [
        "FastEngine/Harness", "Checked", "Wire", "PortableEngine/Package", "Authoring/KataTemplate",
        "Authoring/HandoutTemplate",
    ]

    @Test(arguments: order.keys.sorted())
    func usesGoOneWay(module: String) throws {
        let sources = try ModuleSources(module, leavingOut: Self.others)
        let order = Self.order[module, default: []]
        #expect(Set(sources.folders) == Set(order))
        #expect(sources.uses.filter { !isAllowed($0, in: order) } == [])
    }

    @Test func aUseThatGoesTheOtherWayIsFound() throws {
        var sources = try ModuleSources("Grading", leavingOut: Self.others)
        let order = Self.order["Grading", default: []]
        sources.files.append(
            .init(path: "Process/Planted.swift", text: "struct Planted { var engine: FastEngine? // Verdict\n }"))
        #expect(
            sources.uses.filter { !isAllowed($0, in: order) }
                == [
                    .init(
                        user: "Process/Planted.swift", used: "FastEngine/FastEngine.swift", name: "FastEngine")
                ])
    }

    private func isAllowed(_ use: ModuleSources.Use, in order: [String]) -> Bool {
        guard let user = order.firstIndex(of: use.userFolder), let used = order.firstIndex(of: use.usedFolder) else {
            return false
        }
        return used < user
    }
}

/// The files of a module, and which of them uses a name that a file of another folder declares.
private struct ModuleSources {
    struct File {
        var path: String
        var words: [String]

        init(path: String, text: String) {
            self.path = path
            words = SwiftTokens.words(of: Array(text.utf8))
        }

        /// The types and functions that stand in no other one, and that other files may use.
        var declared: Set<String> {
            var (names, depth): (Set<String>, Int) = ([], 0)
            for (index, word) in words.enumerated() {
                if word == "{" { depth += 1 }
                if word == "}" { depth -= 1 }
                guard depth == 0, ModuleSources.declaring.contains(word), index + 1 < words.count else { continue }
                let isHidden = words[max(0, index - 2)..<index].contains { $0 == "private" || $0 == "fileprivate" }
                if !isHidden { names.insert(words[index + 1]) }
            }
            return names
        }

        /// The words that may mean what another file declares: no members, and nothing that this file declares by itself.
        var used: Set<String> {
            var (names, own): (Set<String>, Set<String>) = ([], [])
            for (index, word) in words.enumerated() {
                let before = index > 0 ? words[index - 1] : ""
                if ModuleSources.declaring.contains(before) || ["let", "var", "case"].contains(before) {
                    own.insert(word)
                } else if before != "." {
                    names.insert(word)
                }
            }
            return names.subtracting(own)
        }
    }

    struct Use: Equatable, CustomStringConvertible {
        var user: String
        var used: String
        var name: String

        var userFolder: String { ModuleSources.folder(of: user) }
        var usedFolder: String { ModuleSources.folder(of: used) }
        var description: String { "\(user) uses \(name) of \(used)" }
    }

    static let declaring: Set = ["struct", "class", "enum", "actor", "protocol", "typealias", "func"]

    var files: [File] = []

    init(_ module: String, leavingOut others: [String]) throws {
        let package = (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let folder = package.appendingPathComponent("Sources/\(module)").path
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
        where path.hasSuffix(".swift") && !others.contains(where: { path.hasPrefix($0 + "/") }) {
            files.append(File(path: path, text: try String(contentsOfFile: "\(folder)/\(path)", encoding: .utf8)))
        }
    }

    static func folder(of path: String) -> String { path.split(separator: "/").dropLast().joined(separator: "/") }

    var folders: [String] { files.map { Self.folder(of: $0.path) } }

    /// What is declared in two folders may mean either, and is left out.
    var uses: [Use] {
        var places: [String: Set<String>] = [:]
        for file in files {
            for name in file.declared { places[name, default: []].insert(file.path) }
        }
        return files.flatMap { file in
            file.used.sorted().compactMap { name -> Use? in
                guard let declaring = places[name], declaring.count == 1, let used = declaring.first else { return nil }
                let use = Use(user: file.path, used: used, name: name)
                return use.userFolder == use.usedFolder ? nil : use
            }
        }
    }
}
