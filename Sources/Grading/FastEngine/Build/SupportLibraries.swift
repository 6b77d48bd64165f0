import Foundation
import Workbook

/// Checked, Combine and KataSupport, as `swift build` has left them: they are never compiled a second time.
struct SupportLibraries: Sendable {
    /// Holds the modules that a suite may import.
    var modules: URL
    /// Those of Checked come first.
    var objects: [URL]
    var identity: String

    /// What a submission may import.
    static let learnerNames = [checkedModule, "Combine"]
    /// The module that every submission imports: what Swift leaves unchecked, in versions that check.
    static let checkedModule = "Checked"

    /// Found next to the running program, which the same `swift build` has made.
    static func locate(beside program: URL = runningProgram) throws(GradingError) -> SupportLibraries {
        let folder = program.deletingLastPathComponent()
        guard let found = SupportLibraries(buildFolder: folder) else {
            throw GradingError(.supportNotBuilt, folder.path)
        }
        return found
    }

    static var runningProgram: URL {
        (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])).resolvingSymlinksInPath()
    }

    /// Reads what either of SwiftPM's build systems leaves: the native one keeps modules in a folder and an object of each
    /// file, Swift Build keeps a module and one object of it next to the program.
    init?(buildFolder: URL) {
        let folder = buildFolder.appendingPathComponent("Modules")
        let isNative = access(folder.appendingPathComponent("KataSupport.swiftmodule").path, F_OK) == 0
        modules = isNative ? folder : buildFolder
        objects = []
        let names = Self.learnerNames + ["KataSupport"]
        var files: [URL] = []
        for name in names {
            let module = modules.appendingPathComponent("\(name).swiftmodule")
            let found =
                isNative
                ? Self.objects(listedIn: buildFolder.appendingPathComponent("\(name).build/output-file-map.json"))
                : [buildFolder.appendingPathComponent("\(name).o")]
            guard !found.isEmpty else { return nil }
            objects += found
            // Swift Build's module is a folder with a file for each platform.
            files += isNative ? [module] : Self.files(in: module, ending: ".swiftmodule")
        }
        let identities = (files + objects).map { FileIdentity($0.path) }
        guard files.count >= names.count, !identities.contains(nil) else { return nil }
        identity = identities.compactMap { $0?.description }.joined(separator: "\n")
    }

    /// The object of each of a module's source files. The folder may also hold objects of sources that are gone.
    private static func objects(listedIn map: URL) -> [URL] {
        struct Outputs: Decodable { var object: String? }
        guard let data = try? Data(contentsOf: map),
            let outputs = try? JSONDecoder().decode([String: Outputs].self, from: data)
        else { return [] }
        // They are next to the map, also where the build folder was moved since.
        let names = outputs.values.compactMap { $0.object.map { URL(fileURLWithPath: $0).lastPathComponent } }
        return names.sorted().map { map.deletingLastPathComponent().appendingPathComponent($0) }
    }

    private static func files(in folder: URL, ending: String) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(ending) }.sorted().map { folder.appendingPathComponent($0) }
    }
}
