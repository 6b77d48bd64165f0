import Foundation
import Synchronization
import Workbook

/// The modules of the toolchain's C headers, such as the C library's, where the compiler keeps what it has made of them.
///
/// A confined compiler cannot write them. So they have to be there, and they have to be younger than their headers: a toolchain
/// that is installed again makes them stale.
struct ClangModules {
    let tools: BuildTools
    let context: GradingContext

    private static let ofSubmissions = [
        "Combine", "Dispatch", "Foundation", "Glibc", "Observation", "RegexBuilder", "Synchronization",
    ]
    private static let ofSuites = ["KataSupport", "Testing", "XCTest"]

    private var folder: URL { tools.compiler.clangModules }

    /// Lets the compiler make those that submissions may import.
    func make(in scratch: URL) throws(GradingError) {
        try call(Self.ofSubmissions, in: scratch).runOwnCode()
    }

    /// Makes all of them again if a confined compiler can no longer use them. Throws where that does not help.
    ///
    /// One grading at a time looks, so that none removes what another one has just made.
    func repair() throws(GradingError) {
        let result = Self.repairs.withLock { _ in
            Result { () throws(GradingError) in
                let scratch = try context.cache.newFolder("imports")
                defer { try? FileManager.default.removeItem(at: scratch) }
                if try failure(in: scratch) == nil { return }
                context.trace(.makeClangModules)
                let old = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
                for name in old { try? FileManager.default.removeItem(at: folder.appendingPathComponent(name)) }
                // Whether that has helped, the confined compiler says.
                for modules in [Self.ofSubmissions, Self.ofSuites] { _ = try call(modules, in: scratch).run() }
                if let words = try failure(in: scratch) { throw GradingError(.compilerFailsOnImports, words) }
            }
        }
        try result.get()
    }

    private static let repairs = Mutex(())

    /// What a confined compiler says of a file that only imports them; `nil` if it can use them.
    private func failure(in scratch: URL) throws(GradingError) -> String? {
        for modules in [Self.ofSubmissions, Self.ofSuites] {
            let output = try call(modules, in: scratch).confined(
                to: context.sandbox, reading: [tools.support.modules, tools.learnerModules, folder],
                limits: context.options.limits
            ).run()
            switch output.ending {
            case .foundErrors, .crashed: return output.words
            case .succeeded, .timedOut, .outOfMemory: continue
            }
        }
        return nil
    }

    private func call(_ modules: [String], in scratch: URL) throws(GradingError) -> CompilerCall {
        let source = scratch.appendingPathComponent("Imports.swift")
        do {
            try Data(modules.map { "import \($0)\n" }.joined().utf8).write(to: source)
        } catch {
            throw GradingError(scratch, notWritable: error)
        }
        return CompilerCall(
            tools.compiler.toolchain,
            tools.compiler.arguments(module: "Imports", sources: ["Imports.swift"], object: "imports.o")
                + ["-I", tools.support.modules.path, "-I", tools.learnerModules.path],
            in: scratch)
    }
}
