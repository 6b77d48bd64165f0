import Foundation
import Workbook

/// The program that runs suites, compiled once for a compiler.
struct HarnessProgram: Sendable {
    var file: URL
    var key: CacheKey

    static func make(_ compiler: Compiler, _ context: GradingContext) async throws(GradingError) -> HarnessProgram {
        let source = try OwnSource("Harness")
        let key = CacheKey(["compiler": compiler.key.hex, "source": source.text])
        let folder = try await context.cache.folder("harness", key) { folder throws(GradingError) in
            context.trace(.compileHarness)
            try await runBlocking { _ throws(GradingError) in try compile(source.file, compiler, in: folder) }
        }
        return HarnessProgram(file: folder.appendingPathComponent("harness"), key: key)
    }

    private static func compile(_ source: URL, _ compiler: Compiler, in folder: URL) throws(GradingError) {
        // Everything that a suite or a submission may need is loaded with the harness: afterwards nothing can be.
        let libraries = [
            "Testing", "XCTest", "Foundation", "swiftSynchronization", "swiftObservation", "swiftRegexBuilder",
            "swiftSwiftOnoneSupport", "swift_StringProcessing", "swiftDispatch", "dispatch", "BlocksRuntime", "m",
        ]
        try CompilerCall(
            compiler.toolchain, usesDriver: true,
            [
                "-swift-version", "5", Compiler.preparedFor, "-parse-as-library", "-use-ld=lld", source.path,
                "-module-cache-path",
            ]
                + [compiler.clangModules.path, "-o", "harness"]
                // What is bound late can be bound anew.
                + ["--no-as-needed", "-z", "now", "-z", "relro"].flatMap { ["-Xlinker", $0] }
                + libraries.map { "-l\($0)" },
            in: folder
        ).runOwnCode()
    }
}
