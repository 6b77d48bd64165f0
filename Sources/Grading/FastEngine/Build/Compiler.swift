import Foundation
import Workbook

/// The compiler's frontend, called without its driver.
///
/// The driver plans, starts the frontend, and asks it again for what to link. For one file there is nothing to plan, so
/// the driver is asked once, for a compiler, which arguments it gives the frontend.
struct Compiler: Sendable {
    var toolchain: Toolchain
    /// What the driver gives the frontend for any file: target, plugins, SDK.
    var baseArguments: [String]
    /// Where Clang modules are kept, such as the C library's.
    var clangModules: URL
    var identity: String

    static func make(_ toolchain: Toolchain, cache: CacheFolder, trace: (TraceEvent) -> Void) throws(GradingError)
        -> Compiler
    {
        guard let file = toolchain.identity else { throw GradingError(.noCompiler, toolchain.frontend.path) }
        let key = CacheKey(["compiler": file.description])
        let arguments: [String]
        if let data = cache.read("compiler", key), let known = try? JSONDecoder().decode([String].self, from: data) {
            arguments = known
        } else {
            trace(TraceEvent(.askCompiler))
            arguments = try ask(toolchain)
            if let data = try? JSONEncoder().encode(arguments) { cache.write(data, "compiler", key) }
        }
        return Compiler(
            toolchain: toolchain, baseArguments: arguments,
            clangModules: cache.url.appendingPathComponent("modules"), identity: file.description)
    }

    private static func ask(_ toolchain: Toolchain) throws(GradingError) -> [String] {
        let driver = ChildProcess(
            program: toolchain.compiler.path, arguments: ["-###", "-c", "Kata.swift", "-module-name", "Kata"],
            environment: ProcessInfo.processInfo.environment, outputs: [[1], [2]])
        var said: [[UInt8]] = [[], []]
        let result = try driver.run(deadline: { .now + .seconds(30) }) { output, bytes in
            said[output] += bytes
            return .proceed
        }
        let texts = said.map { String(decoding: $0, as: UTF8.self) }
        guard result.ending == .exited(0),
            let line = texts[0].split(separator: "\n").first(where: { $0.contains(" -frontend ") })
        else { throw GradingError(.programFailed, toolchain.compiler.path, texts[1]) }
        return frontendArguments(String(line))
    }

    /// The arguments of a frontend's command line that hold for any file.
    static func frontendArguments(_ line: String) -> [String] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        var escaped = false
        for character in line {
            if escaped {
                word.append(character)
                escaped = false
            } else if character == "\\" {
                escaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'" {
                quote = character
            } else if quote == nil, character == " " {
                if !word.isEmpty { words.append(word) }
                word = ""
            } else {
                word.append(character)
            }
        }
        if !word.isEmpty { words.append(word) }
        var kept: [String] = []
        var index = 1
        while index < words.count {
            switch words[index] {
            case "-frontend", "-c": break
            case "-primary-file", "-o", "-module-name": index += 1
            default: kept.append(words[index])
            }
            index += 1
        }
        return kept
    }

    /// The frontend's arguments for one module in one object.
    func arguments(module: String, sources: [String], object: String) -> [String] {
        ["-frontend", "-c"] + sources + baseArguments
            + [
                "-module-name", module, "-swift-version", "5", "-module-cache-path", clangModules.path,
                "-diagnostic-style", "llvm", "-o", object,
            ]
    }

    /// Runs the frontend on our own code: a suite, a model answer.
    func compile(_ arguments: [String], in folder: URL) throws(GradingError) -> (succeeded: Bool, messages: String) {
        let environment = ["PATH": "/usr/bin:/bin", "TMPDIR": folder.path, "HOME": folder.path]
        let child = ChildProcess(
            toolchain.frontend.path, arguments,
            in: Confinement(environment: environment, folder: folder.path), sandbox: nil)
        var said: [UInt8] = []
        let result = try child.run(deadline: { .now + .seconds(300) }) { _, bytes in
            said += bytes
            return .proceed
        }
        return (result.ending == .exited(0), String(decoding: said, as: UTF8.self))
    }
}

/// What the compiler says about a file, line by line.
struct CompilerMessage: Equatable {
    var severity: Diagnostic.Severity
    var file: String
    var line: Int
    var column: Int
    var text: String
    /// The diagnostic group, such as `StrictMemorySafety`.
    var group: String?

    /// The messages in the compiler's output; source lines and carets are left out.
    static func parse(_ output: String) -> [CompilerMessage] {
        output.split(separator: "\n").compactMap { CompilerMessage(line: $0) }
    }

    private init?(line: Substring) {
        // path:12:5: error: words [#Group]
        guard line.first != " " else { return nil }
        for (word, severity) in [
            (": error: ", Diagnostic.Severity.error), (": warning: ", .warning), (": note: ", .note),
        ] {
            guard let range = line.firstRange(of: word) else { continue }
            var head = line[..<range.lowerBound]
            var text = line[range.upperBound...]
            func number() -> Int? {
                guard let colon = head.lastIndex(of: ":"), let value = Int(head[head.index(after: colon)...]) else {
                    return nil
                }
                head = head[..<colon]
                return value
            }
            guard let column = number(), let row = number() else { continue }
            if text.hasSuffix("]"), let bracket = text.range(of: " [#", options: .backwards) {
                group = String(text[bracket.upperBound...].dropLast())
                text = text[..<bracket.lowerBound]
            }
            self.severity = severity
            file = String(head)
            self.line = row
            self.column = column
            self.text = String(text)
            return
        }
        return nil
    }
}
