import Foundation
import Testing

@testable import Grading

@Suite("The support libraries are found where `swift build` leaves them")
struct SupportLibrariesTests {
    static let native = [
        "Modules/Checked.swiftmodule", "Modules/Combine.swiftmodule", "Modules/KataSupport.swiftmodule",
        "Checked.build/D.swift.o", "Combine.build/A.swift.o", "Combine.build/B.swift.o", "KataSupport.build/C.swift.o",
    ]
    static let swiftBuild = [
        "Checked.swiftmodule/x86_64-unknown-linux-gnu.swiftmodule", "Checked.o",
        "Combine.swiftmodule/x86_64-unknown-linux-gnu.swiftmodule", "Combine.o",
        "KataSupport.swiftmodule/x86_64-unknown-linux-gnu.swiftmodule", "KataSupport.o",
    ]

    /// Runs a body in a folder that holds these files.
    static func look<Found>(_ files: [String], _ body: (URL) throws -> Found) throws -> Found {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("support-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for file in files {
            let url = folder.appendingPathComponent(file)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(file.utf8).write(to: url)
        }
        // The native build system lists the objects of each module that it builds.
        for module in ["Checked", "Combine", "KataSupport"] {
            let build = "\(module).build/"
            let objects = files.filter { $0.hasPrefix(build) }
            if objects.isEmpty { continue }
            let outputs = objects.map { ("\($0).swift", ["object": "/moved/since/\($0)"]) }
            let map = Dictionary(uniqueKeysWithValues: outputs)
            try JSONEncoder().encode(map).write(to: folder.appendingPathComponent("\(build)output-file-map.json"))
        }
        return try body(folder)
    }

    @Test("The native build system leaves an object for each file")
    func nativeLayout() throws {
        try Self.look(Self.native) { folder in
            let found = try SupportLibraries.locate(beside: folder.appendingPathComponent("grader"))
            #expect(found.modules.lastPathComponent == "Modules")
            #expect(found.objects.map(\.lastPathComponent) == ["D.swift.o", "A.swift.o", "B.swift.o", "C.swift.o"])
        }
    }

    @Test("Objects of deleted sources are left out")
    func goneSources() throws {
        try Self.look(Self.native) { folder in
            try Data().write(to: folder.appendingPathComponent("Combine.build/Gone.swift.o"))
            let found = try SupportLibraries.locate(beside: folder.appendingPathComponent("grader"))
            #expect(found.objects.map(\.lastPathComponent) == ["D.swift.o", "A.swift.o", "B.swift.o", "C.swift.o"])
        }
    }

    @Test("Swift Build leaves one object for each module")
    func swiftBuildLayout() throws {
        try Self.look(Self.swiftBuild) { folder in
            let found = try SupportLibraries.locate(beside: folder.appendingPathComponent("grader"))
            #expect(found.modules.path == folder.path)
            #expect(found.objects.map(\.lastPathComponent) == ["Checked.o", "Combine.o", "KataSupport.o"])
        }
    }

    @Test("Another build of a library has another identity", arguments: [native, swiftBuild])
    func identity(files: [String]) throws {
        for file in files {
            try Self.look(files) { folder in
                let before = try #require(SupportLibraries(buildFolder: folder)).identity
                try Data("changed".utf8).write(to: folder.appendingPathComponent(file))
                #expect(SupportLibraries(buildFolder: folder)?.identity != before, "\(file)")
            }
        }
    }

    @Test("A missing library is an error that names the folder", arguments: [native, swiftBuild, []])
    func missing(files: [String]) throws {
        for name in ["Checked", "Combine", "KataSupport"] {
            try Self.look(files.filter { !$0.hasPrefix(name) }) { folder in
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                #expect(throws: GradingError(.supportNotBuilt, folder.path)) {
                    try SupportLibraries.locate(beside: folder.appendingPathComponent("grader"))
                }
            }
        }
    }
}
