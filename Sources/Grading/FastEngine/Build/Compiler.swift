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
        let prepared = Self.preparedModules(in: SupportLibraries.runningProgram.deletingLastPathComponent())
        // Clang's modules remember the path that they were made at: for a folder that has moved they are made anew.
        key = CacheKey([
            "version": BuildTools.version, "compiler": file.description, "cache": context.cache.url.path,
            "clang": prepared?.identity ?? "",
        ])
        clangModules = prepared?.folder ?? context.cache.path("clang", key)
        if prepared == nil { context.cache.noteUse(of: clangModules) }
        if let data = context.cache.read("compiler", key),
            let known = try? JSONDecoder().decode([String].self, from: data)
        {
            baseArguments = known
            return
        }
        context.trace(.askCompiler)
        let call = CompilerCall(
            toolchain, by: .driver, ["-###", "-c", "Kata.swift", "-module-name", "Kata"],
            in: URL(fileURLWithPath: Toolchain.temporaryFolder))
        let output = try call.run()
        guard output.ending == .succeeded,
            let line = output.text.split(separator: "\n").first(where: { $0.contains(" -frontend ") })
        else { throw GradingError(.programFailed, toolchain.compiler.path, output.words) }
        baseArguments = Self.frontendArguments(String(line)) + [Self.preparedFor]
        if let data = try? JSONEncoder().encode(baseArguments) { context.cache.write(data, "compiler", key) }
    }

    /// `swift build` has compiled everything with debug information, and Clang modules depend on that.
    static let preparedFor = "-g"

    /// The modules of the C library, of Dispatch, of Testing and so on, as `swift build` has made them: more than a second of a
    /// processor. None, if the build folder has moved since or may not be written to: then the compiler could not make a
    /// module that is missing there.
    private static func preparedModules(in buildFolder: URL) -> (folder: URL, identity: String)? {
        let folder = buildFolder.appendingPathComponent("ModuleCache")
        let map = buildFolder.appendingPathComponent("KataSupport.build/output-file-map.json")
        guard access(folder.path, W_OK) == 0, let text = try? String(contentsOf: map, encoding: .utf8),
            text.contains("\"\(map.deletingLastPathComponent().path)/")
        else { return nil }
        let number = try? FileManager.default.attributesOfItem(atPath: folder.path)[.systemFileNumber]
        return (folder, "\(folder.path) \(number ?? 0)")
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
