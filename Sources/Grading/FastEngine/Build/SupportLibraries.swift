import Foundation
import Workbook

/// Combine and KataSupport, as `swift build` has left them: they are never compiled a second time.
struct SupportLibraries: Sendable {
    /// Holds the modules that a suite may import.
    var modules: URL
    var objects: [URL]
    var identity: String

    static let names = ["Combine", "KataSupport"]

    /// Found beside the running program, which the same `swift build` has made.
    static func locate(beside program: URL = runningProgram) throws(GradingError) -> SupportLibraries {
        var folder = program.deletingLastPathComponent()
        // A test bundle on macOS has its program three folders down.
        for _ in 0..<4 {
            if let found = SupportLibraries(buildFolder: folder) { return found }
            folder.deleteLastPathComponent()
        }
        throw GradingError(.supportNotBuilt, program.deletingLastPathComponent().path)
    }

    static var runningProgram: URL {
        (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])).resolvingSymlinksInPath()
    }

    init?(buildFolder: URL) {
        modules = buildFolder.appendingPathComponent("Modules")
        var identities: [FileIdentity] = []
        var objects: [URL] = []
        for name in Self.names {
            let module = modules.appendingPathComponent("\(name).swiftmodule")
            guard let identity = FileIdentity(module.path) else { return nil }
            identities.append(identity)
            let folder = buildFolder.appendingPathComponent("\(name).build")
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            for file in files.sorted() where file.hasSuffix(".o") {
                let object = folder.appendingPathComponent(file)
                objects.append(object)
                if let identity = FileIdentity(object.path) { identities.append(identity) }
            }
        }
        guard !objects.isEmpty else { return nil }
        self.objects = objects
        identity = identities.map(\.description).joined(separator: "\n")
    }
}
