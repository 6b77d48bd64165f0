import Foundation
import Workbook

/// What the code of a kata is compiled with: the compiler, and the modules that the code may import.
struct BuildTools: Sendable {
    var compiler: Compiler
    var support: SupportLibraries
    /// The modules that a submission may import in addition to those of the toolchain: Combine and `Checked`.
    var learnerModules: URL
    /// Compiled as part of every submission's module.
    var names: URL
    /// Compiled as part of a submission's module where it keeps a lock of the C library on the heap.
    var heapLocks: URL
    /// The digest of all of it.
    var key: CacheKey

    /// Changes with what the engine makes, so that nothing of an older engine is taken for its own.
    static let version = "19"

    static func make(_ compiler: Compiler, _ context: GradingContext) async throws(GradingError) -> BuildTools {
        let support = try SupportLibraries.locate()
        let names = try OwnSource("Harness/InSubmission/Names")
        let heapLocks = try OwnSource("Harness/InSubmission/HeapLocks")
        let key = CacheKey([
            "compiler": compiler.key.hex, "support": support.identity, "names": names.text,
            "heapLocks": heapLocks.text,
        ])
        let folder = try await context.cache.folder("modules", key) { folder throws(GradingError) in
            context.trace(.copyModules)
            try copyModules(support, [names, heapLocks], into: folder)
        }
        func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
        return BuildTools(
            compiler: compiler, support: support, learnerModules: folder,
            names: file(names.file.lastPathComponent), heapLocks: file(heapLocks.file.lastPathComponent), key: key)
    }

    /// The call that compiles a submission, or the model answer in its place, as a module that suites link with. It leaves
    /// `<Kata>.o`, `<Kata>.swiftmodule` and `<Kata>.swiftinterface` in the folder.
    func submissionCall(_ kata: Kata, _ sources: [String], in folder: URL) -> CompilerCall {
        let name = kata.kata
        return CompilerCall(
            compiler.toolchain,
            compiler.arguments(module: name, sources: sources + [names.path], object: "\(name).o")
                + [
                    // Each access is a call, by which the scheduler can come between two of them.
                    "-sanitize=thread", "-enable-bare-slash-regex", "-parse-as-library", "-enable-library-evolution",
                    "-no-verify-emitted-module-interface",
                    "-emit-module-path", "\(name).swiftmodule", "-emit-module-interface-path",
                    "\(name).swiftinterface", "-I", learnerModules.path, "-import-module",
                    SupportLibraries.checkedModule,
                ],
            in: folder)
    }

    /// The call that compiles a suite against the kata's module in another folder. It leaves `suite.o` in the folder.
    func suiteCall(_ kata: Kata, _ sources: [String], against module: URL, in folder: URL) -> CompilerCall {
        CompilerCall(
            compiler.toolchain,
            compiler.arguments(module: "\(kata.kata)Tests", sources: sources, object: "suite.o")
                + [
                    "-parse-as-library", "-plugin-path", compiler.toolchain.testingMacros.path, "-suppress-warnings",
                    "-I", module.path, "-I", support.modules.path, "-I", learnerModules.path,
                ],
            in: folder)
    }

    private static func copyModules(
        _ support: SupportLibraries, _ sources: [OwnSource], into folder: URL
    ) throws(GradingError) {
        do {
            let modules = SupportLibraries.learnerNames.map {
                support.modules.appendingPathComponent("\($0).swiftmodule")
            }
            for file in modules + sources.map(\.file) {
                try FileManager.default.copyItem(at: file, to: folder.appendingPathComponent(file.lastPathComponent))
            }
        } catch {
            throw GradingError(folder, notWritable: error)
        }
    }
}
