import Foundation
import Workbook

/// The program that runs suites, compiled once for a compiler.
struct HarnessProgram: Sendable {
    var file: URL
    var key: CacheKey

    static func make(_ compiler: Compiler, _ context: GradingContext) async throws(GradingError) -> HarnessProgram {
        var sources: [OwnSource] = []
        for name in [
            "Harness", "LoadedImages", "RunEvents/EventSeal", "RunEvents/RunEvent", "RunEvents/RunRequest",
        ] {
            sources.append(try OwnSource(name))
        }
        let files = sources.map(\.file.path)
        let key = CacheKey(["compiler": compiler.key.hex, "source": sources.map(\.text).joined(separator: "\0")])
        let folder = try await context.cache.folder("harness", key) { folder throws(GradingError) in
            context.trace(.compileHarness)
            try await runBlocking { _ throws(GradingError) in try compile(files, compiler, in: folder) }
        }
        return HarnessProgram(file: folder.appendingPathComponent("harness"), key: key)
    }

    private static func compile(_ sources: [String], _ compiler: Compiler, in folder: URL) throws(GradingError) {
        // Everything that a suite or a submission may need is loaded with the harness: afterwards nothing can be.
        let libraries = [
            "Testing", "XCTest", "Foundation", "swiftSynchronization", "swiftObservation", "swiftRegexBuilder",
            "swiftSwiftOnoneSupport", "swift_StringProcessing", "swiftDispatch", "dispatch", "BlocksRuntime", "m",
        ]
        try CompilerCall(
            compiler.toolchain, usesDriver: true,
            [
                "-swift-version", "5", Compiler.preparedFor, "-parse-as-library", "-use-ld=lld", "-module-name",
                "Harness", "-whole-module-optimization", "-module-cache-path", compiler.clangModules.path, "-o",
                "harness",
            ]
                + sources
                // What is bound late can be bound anew.
                + ["--no-as-needed", "-z", "now", "-z", "relro"].flatMap { ["-Xlinker", $0] }
                + libraries.map { "-l\($0)" },
            in: folder
        ).runOwnCode()
    }
}
