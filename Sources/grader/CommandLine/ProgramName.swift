import Foundation

/// What a person types to start the program again.
struct ProgramName {
    static let version = "1.0.0"

    let text: String

    /// - Parameter started: how the program was started: `argv[0]`. `swift run` starts it by its path in the folder of a
    ///   platform's builds, `.build/x86_64-unknown-linux-gnu/debug/grader`; a person goes by `.build/debug`.
    init(started: String, workingFolder: URL) {
        let path = URL(fileURLWithPath: started, relativeTo: workingFolder).standardizedFileURL.path
        let parts = path.split(separator: "/")
        guard let build = parts.lastIndex(of: ".build") else {
            text = started
            return
        }
        let package = parts[..<build]
        let isBySwiftRun = started.hasPrefix("/") || parts[build...].count == 4
        let isInside = workingFolder.standardizedFileURL.path.split(separator: "/").starts(with: package)
        text = isBySwiftRun && isInside ? "swift run grader" : started
    }
}
