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
    /// The digest of the compiler and of the place of the cache.
    var key: CacheKey

    /// Asks the driver, once for each compiler.
    init(_ context: GradingContext) throws(GradingError) {
        toolchain = context.toolchain
        guard let file = toolchain.identity else { throw GradingError(.noCompiler, toolchain.frontend.path) }
        // Clang's modules remember the path that they were made at: for a cache that has moved they are made anew.
        key = CacheKey([
            "version": BuildTools.version, "compiler": file.description, "cache": context.cache.url.path,
        ])
        clangModules = context.cache.path("clang", key)
        if let data = context.cache.read("compiler", key),
            let known = try? JSONDecoder().decode([String].self, from: data)
        {
            baseArguments = known
            return
        }
        context.trace(.askCompiler)
        let call = CompilerCall(
            toolchain, usesDriver: true, ["-###", "-c", "Kata.swift", "-module-name", "Kata"],
            in: FileManager.default.temporaryDirectory)
        let output = try call.run()
        guard output.ending == .succeeded,
            let line = output.text.split(separator: "\n").first(where: { $0.contains(" -frontend ") })
        else { throw GradingError(.programFailed, toolchain.compiler.path, output.text) }
        baseArguments = Self.frontendArguments(String(line))
        if let data = try? JSONEncoder().encode(baseArguments) { context.cache.write(data, "compiler", key) }
        linkPreparedModules(in: SupportLibraries.runningProgram.deletingLastPathComponent())
    }

    /// The compiler makes modules of what is installed as an interface only, such as Testing's. `swift build` has done so
    /// already. A link is there as a whole or not at all, and where the module does not fit, the compiler makes another.
    private func linkPreparedModules(in buildFolder: URL) {
        let prepared = buildFolder.appendingPathComponent("ModuleCache")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: prepared.path)) ?? []
        try? FileManager.default.createDirectory(at: clangModules, withIntermediateDirectories: true)
        for name in names where name.hasPrefix("Testing-") && name.hasSuffix(".swiftmodule") {
            try? FileManager.default.linkItem(
                at: prepared.appendingPathComponent(name), to: clangModules.appendingPathComponent(name))
        }
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
}
