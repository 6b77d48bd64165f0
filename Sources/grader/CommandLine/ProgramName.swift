import Foundation

/// What a person types to start the program again.
struct ProgramName {
    static let version = "1.0.0"

    let text: String

    /// - Parameters:
    ///   - started: how the program was started: `argv[0]`. `swift run` starts it by its path in the folder of a platform's
    ///     builds, `.build/x86_64-unknown-linux-gnu/debug/grader`; a person goes by `.build/debug`, which starts at once.
    ///   - exists: whether there is a file at a path.
    init(
        started: String, workingFolder: URL,
        exists: (String) -> Bool = { FileManager.default.isExecutableFile(atPath: $0) }
    ) {
        let path = URL(fileURLWithPath: started, relativeTo: workingFolder).standardizedFileURL.path
        let parts = path.split(separator: "/")
        guard let build = parts.lastIndex(of: ".build") else {
            text = started
            return
        }
        let package = parts[..<build]
        let here = workingFolder.standardizedFileURL.path.split(separator: "/")
        guard started.hasPrefix("/") || parts[build...].count == 4, here.starts(with: package) else {
            text = started
            return
        }
        let built = ([".build"] + parts.suffix(2)).joined(separator: "/")
        let isThere = exists("/" + (package + [Substring(built)]).joined(separator: "/"))
        let up = String(repeating: "../", count: here.count - package.count)
        text = isThere ? up + built : "swift run grader"
    }
}
