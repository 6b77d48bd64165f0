import Foundation
import Workbook

/// Asks the toolchain which lines of a file the code of an image comes from. The image was made of a stranger's source, so the
/// program that reads it is confined.
struct Symbolizer {
    let context: GradingContext
    let cancellation: CancellationFlag

    private static let seconds = 5.0
    private static let mostOffsets = 4096

    /// How far behind an offset its function is looked through for a line.
    private static let ahead = Array(stride(from: 4, through: 64, by: 4))

    /// The lines of each offset, the innermost first: more than one where a function was inlined. Nothing where the program is
    /// not there or cannot read the image.
    ///
    /// - Parameter accesses: those that have a line, also where the compiler gives none to the beginning of a change such as `+= 1`:
    ///   it is the next one in the same function then.
    func lines(
        of offsets: Set<Int>, accesses: Set<Int>, in image: URL, file: String
    ) throws(GradingError) -> [Int: [Int]] {
        let program = context.toolchain.symbolizer
        let behind = accesses.flatMap { offset in Self.ahead.map { offset + $0 } }
        let asked = offsets.union(behind).filter { $0 > 0 }.sorted().prefix(Self.mostOffsets)
        guard !asked.isEmpty, FileManager.default.isExecutableFile(atPath: program.path) else { return [:] }
        context.trace(.findLines)
        let inside = context.sandbox == nil ? image.path : "/grader/image"
        var confinement = Confinement(folder: context.sandbox == nil ? image.deletingLastPathComponent().path : "/tmp")
        confinement.readable = [(context.toolchain.root.path, context.toolchain.root.path), (inside, image.path)]
        confinement.environment = ["PATH": "/usr/bin:/bin"]
        confinement.memoryMegabytes = 2048
        confinement.processorSeconds = Int(Self.seconds)
        // The run's own user has to read it.
        if context.sandbox?.givesOwnUsers == true { chmod(image.path, 0o755) }
        let child = ChildProcess(
            program.path,
            ["--obj=\(inside)", "--output-style=JSON", "--inlines", "--no-debuginfod"]
                + asked.map { "0x" + String($0, radix: 16) },
            in: confinement, sandbox: context.sandbox)
        let output = try child.collectOutput(seconds: Self.seconds, cancellation: cancellation)
        return output.ending == .exited(0) ? Self.lines(in: output.text, accesses: accesses, file: file) : [:]
    }

    private struct Answer: Decodable {
        struct Place: Decodable {
            // The program's own names.
            var FileName: String
            var FunctionName: String?
            var Line: Int
        }
        var Address: String
        var Symbol: [Place]?
    }

    /// The lines that the program's answer names in a file of this name.
    static func lines(in answer: String, accesses: Set<Int> = [], file: String) -> [Int: [Int]] {
        let answers = (try? JSONDecoder().decode([Answer].self, from: Data(answer.utf8))) ?? []
        var functions: [Int: String] = [:]
        var lines: [Int: [Int]] = [:]
        for answer in answers {
            guard let offset = Int(answer.Address.dropFirst(2), radix: 16) else { continue }
            functions[offset] = answer.Symbol?.last?.FunctionName
            lines[offset] = (answer.Symbol ?? [])
                .filter { $0.Line > 0 && $0.FileName.split(separator: "/").last.map(String.init) == file }.map(\.Line)
        }
        for access in accesses where lines[access]?.isEmpty == true {
            let ofFunction = ahead.lazy.map { access + $0 }.filter { functions[$0] == functions[access] }
            lines[access] = ofFunction.compactMap { lines[$0] }.first { !$0.isEmpty } ?? []
        }
        return lines
    }
}
