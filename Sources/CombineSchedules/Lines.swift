import Foundation

/// The lines of places in this program.
enum Lines {
    /// Those of the places that are lines, the innermost first.
    static func at(_ places: [UInt64]) -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["llvm-symbolizer", "--output-style=GNU", "--functions=none", "--basenames", "--no-inlines", "-e"]
            + [CommandLine.arguments[0]] + places.map { "0x" + String($0, radix: 16) }
        let pipe = Pipe()
        process.standardOutput = pipe
        guard (try? process.run()) != nil else { return "\(places)" }
        let lines = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return lines.split(separator: "\n").filter { !$0.hasSuffix(":0") }.joined(separator: " < ")
    }
}
