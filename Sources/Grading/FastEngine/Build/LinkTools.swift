import Foundation
import Workbook

/// What a compiled kata is linked with: the support libraries as one image, and the tests that have to fail.
struct LinkTools: Sendable {
    var supportImage: URL
    /// The linker's list of what a suite's image shows to others: its entry points only.
    var exports: URL
    /// The object of the tests that have to fail, and where each of its placeholders stands (see `ControlTests`).
    var controlTests: URL
    var controlPlaces: [[Int]]
    /// The digest of all of it.
    var key: CacheKey

    /// The function of a suite's image that lists its XCTest tests.
    static let entryPoint = "kataXCTests"
    /// The one that lists those that have to fail.
    private static let controlEntryPoint = "kataControlTests"
    private static let controlObject = "controls.o"
    private static let controlPlaces = "controls.json"

    static func make(_ tools: BuildTools, _ context: GradingContext) async throws(GradingError) -> LinkTools {
        let controls = try OwnSource("Harness/InSuite/ControlTests")
        let key = CacheKey(["tools": tools.key.hex, "controls": controls.text])
        let support = try await context.cache.folder("support", key) { folder throws(GradingError) in
            context.trace(.linkSupport)
            try await runBlocking { _ throws(GradingError) in
                try linkSupport(tools, in: folder)
                try compileControls(controls.file, tools, in: folder)
                try ClangModules(tools: tools, context: context).make(in: folder)
            }
        }
        guard let places = try? Data(contentsOf: support.appendingPathComponent(controlPlaces)),
            let controlPlaces = try? JSONDecoder().decode([[Int]].self, from: places)
        else { throw GradingError(.supportNotBuilt, support.path) }
        return LinkTools(
            supportImage: support.appendingPathComponent("libSupport.so"),
            exports: support.appendingPathComponent("exports"),
            controlTests: support.appendingPathComponent(controlObject), controlPlaces: controlPlaces, key: key)
    }

    private static func linkSupport(_ tools: BuildTools, in folder: URL) throws(GradingError) {
        // Only this file needs FoundationNetworking, which no submission may import. Each process of a verdict would load it,
        // and the thirty libraries that it needs. (Swift Build makes one object of all files.)
        let objects = tools.support.objects.filter { $0.lastPathComponent != "DataTaskPublisher.swift.o" }
        let libraries = [
            "Foundation", "FoundationNetworking", "Testing", "swiftSynchronization", "swiftObservation",
            "swiftDispatch",
        ]
        // The driver links its inputs with all that they import, needed or not. It must have one, and the first object is of
        // Checked, which imports little.
        let linkerArguments =
            ["-z", "now", "-z", "relro", "--as-needed", "-soname=libSupport.so"] + objects.dropFirst().map(\.path)
            + libraries.map { "-l\($0)" }
        try CompilerCall(
            tools.compiler.toolchain, by: .driver,
            ["-emit-library", "-use-ld=lld", "-o", "libSupport.so"] + objects.prefix(1).map(\.path)
                + linkerArguments.flatMap { ["-Xlinker", $0] },
            in: folder
        ).runOwnCode()
        do {
            try Data("{ global: \(entryPoint); \(controlEntryPoint); local: *; };\n".utf8)
                .write(to: folder.appendingPathComponent("exports"))
        } catch {
            throw GradingError(folder, notWritable: error)
        }
    }

    private static func compileControls(_ source: URL, _ tools: BuildTools, in folder: URL) throws(GradingError) {
        let compiler = tools.compiler
        try CompilerCall(
            compiler.toolchain,
            compiler.arguments(module: "ControlTests", sources: [source.path], object: controlObject)
                + ["-parse-as-library", "-plugin-path", compiler.toolchain.testingMacros.path, "-suppress-warnings"]
                + ["-I", tools.support.modules.path, "-I", tools.learnerModules.path],
            in: folder
        ).runOwnCode()
        do {
            let object = [UInt8](try Data(contentsOf: folder.appendingPathComponent(controlObject)))
            try JSONEncoder().encode(ControlTests.places(in: object))
                .write(to: folder.appendingPathComponent(controlPlaces))
        } catch {
            throw GradingError(folder, notWritable: error)
        }
    }
}
