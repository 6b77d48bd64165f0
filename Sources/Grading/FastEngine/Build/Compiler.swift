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
struct CompilerMessage: Hashable {
    var severity: Diagnostic.Severity
    var file: String
    var line: Int
    var column: Int
    var text: String
    /// The diagnostic group, such as `StrictMemorySafety`.
    var group: String?

    /// The messages in the compiler's output.
    ///
    /// Below a message that has a place stands a line of the source, which may look like a message itself: it is left out.
    static func parse(_ output: [UInt8]) -> [CompilerMessage] {
        var messages: [CompilerMessage] = []
        var isSource = false
        for line in output.split(separator: UInt8(ascii: "\n")) {
            defer { isSource = false }
            if isSource, !mentionsGroup(line) { continue }
            guard let message = CompilerMessage(line: line) else { continue }
            messages.append(message)
            isSource = message.line > 0
        }
        return messages
    }

    /// How often the output names a group, whatever else it says.
    static func mentions(of group: String, in output: [UInt8]) -> Int {
        let name = Array("[#\(group)]".utf8)
        var count = 0
        for index in output.indices where output[index] == name[0] && output[index...].starts(with: name) { count += 1 }
        return count
    }

    private static func mentionsGroup(_ line: ArraySlice<UInt8>) -> Bool {
        line.last == UInt8(ascii: "]") && line.contains(UInt8(ascii: "#"))
    }

    private static let severities: [(mark: [UInt8], severity: Diagnostic.Severity)] = [
        (Array(": error: ".utf8), .error), (Array(": warning: ".utf8), .warning), (Array(": note: ".utf8), .note),
        (Array(": remark: ".utf8), .note),
    ]

    /// The first word of a severity in a line, with what stands around it.
    private static func severity(in line: ArraySlice<UInt8>) -> (range: Range<Int>, severity: Diagnostic.Severity)? {
        for index in line.indices where line[index] == UInt8(ascii: ":") {
            for (mark, severity) in severities where line[index...].starts(with: mark) {
                return (index..<index + mark.count, severity)
            }
        }
        return nil
    }

    /// `path:12:5: error: words [#Group]`, where a message about no place has `<unknown>:0` before it.
    private init?(line: ArraySlice<UInt8>) {
        guard line.first != UInt8(ascii: " ") else { return nil }
        guard let (range, severity) = Self.severity(in: line) else { return nil }
        var head = line[..<range.lowerBound]
        func number() -> Int? {
            guard let colon = head.lastIndex(of: UInt8(ascii: ":")),
                let value = Int(String(decoding: head[(colon + 1)...], as: UTF8.self))
            else { return nil }
            head = head[..<colon]
            return value
        }
        let last = number()
        let first = number()
        self.line = first ?? last ?? 0
        column = first == nil ? 0 : last ?? 0
        file = String(decoding: head, as: UTF8.self)
        self.severity = severity
        var text = Substring(String(decoding: line[range.upperBound...], as: UTF8.self))
        if text.hasSuffix("]"), let bracket = text.range(of: " [#", options: .backwards) {
            group = String(text[bracket.upperBound...].dropLast())
            text = text[..<bracket.lowerBound]
        }
        self.text = String(text)
    }
}
