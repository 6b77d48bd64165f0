import Foundation
import Workbook

/// The program that runs suites, compiled once for a compiler.
struct HarnessProgram: Sendable {
    var file: URL
    var key: CacheKey

    private static let swiftSources =
        ["Events", "Harness", "LoadedImages", "Support", "TestingRun", "Walls", "XCTestRun"].map {
            "Harness/Program/\($0)"
        }
        + ["EventSeal", "RunEvent", "RunRequest", "SupportFunction", "TestingEvent"].map { "Wire/\($0)" }
    /// The scheduler, which answers and suites find in the program as if it were a library's.
    private static let cSources = ["Accesses", "Crash", "Queues", "Scheduler", "Search", "SelfTest", "Timers", "Waits"]
    private static let cHeaders = ["Scheduler.h", "include/Schedules.h"]
    /// What the program shows to the libraries that it loads. They look here first.
    private static let shownNames = """
        { __tsan_*; races_*; schedules_*; harness_*; pthread_*; sem_*; dispatch_*; syscall; sched_yield; usleep; sleep; nanosleep;
          clock_nanosleep; poll; ppoll; epoll_wait; epoll_pwait; select; pselect; timerfd_settime; timer_settime; setitimer;
          swift_reportError; "$s15Synchronization12_MutexHandle*"; };

        """

    static func make(_ compiler: Compiler, _ context: GradingContext) async throws(GradingError) -> HarnessProgram {
        func sources(_ names: [String]) throws(GradingError) -> [OwnSource] {
            var sources: [OwnSource] = []
            for name in names { sources.append(try OwnSource(name)) }
            return sources
        }
        let swift = try sources(swiftSources)
        let scheduler = try sources(cSources.map { "Harness/Schedules/\($0).c" })
        let headers = try sources(cHeaders.map { "Harness/Schedules/\($0)" })
        let text = (swift + scheduler + headers).map(\.text).joined(separator: "\0") + shownNames
        let key = CacheKey(["compiler": compiler.key.hex, "source": text])
        let folder = try await context.cache.folder("harness", key) { folder throws(GradingError) in
            context.trace(.compileHarness)
            try await runBlocking { _ throws(GradingError) in
                let objects = try compile(scheduler, compiler, in: folder)
                try compile(swift.map(\.file.path), objects, compiler, in: folder)
            }
        }
        return HarnessProgram(file: folder.appendingPathComponent("harness"), key: key)
    }

    /// Whether its scheduler passes its own test where suites are run.
    func exploresOrders(_ context: GradingContext, _ cancellation: CancellationFlag) throws(GradingError) -> Bool {
        var confinement = Confinement(folder: context.sandbox == nil ? file.deletingLastPathComponent().path : "/tmp")
        let program = context.sandbox == nil ? file.path : "/grader/harness"
        let libraries = context.toolchain.libraries.path
        confinement.readable = [(program, file.path), (libraries, libraries)]
        confinement.environment = ["LD_BIND_NOW": "1"]
        if context.sandbox?.givesOwnUsers == true { chmod(file.path, 0o755) }
        let child = ChildProcess(program, ["--check-schedules"], in: confinement, sandbox: context.sandbox)
        return try child.collectOutput(seconds: 20, cancellation: cancellation).ending == .exited(0)
    }

    /// Compiles the scheduler. Its frames lead from an answer's code to where it waits.
    private static func compile(
        _ sources: [OwnSource], _ compiler: Compiler, in folder: URL
    ) throws(GradingError) -> [String] {
        var objects: [String] = []
        for source in sources {
            let object = source.file.deletingPathExtension().lastPathComponent + ".o"
            let includes = source.file.deletingLastPathComponent().appendingPathComponent("include").path
            try CompilerCall(
                compiler.toolchain, by: .clang,
                ["-O2", "-fPIC", "-fno-omit-frame-pointer", "-I", includes, "-c", source.file.path, "-o", object],
                in: folder
            ).runOwnCode()
            objects.append(object)
        }
        return objects
    }

    private static func compile(
        _ sources: [String], _ objects: [String], _ compiler: Compiler, in folder: URL
    ) throws(GradingError) {
        do {
            try Data(shownNames.utf8).write(to: folder.appendingPathComponent("shown"))
        } catch {
            throw GradingError(folder, notWritable: error)
        }
        // Everything that a suite or a submission may need is loaded with the harness: afterwards nothing can be.
        let libraries = [
            "Testing", "XCTest", "Foundation", "swiftSynchronization", "swiftObservation", "swiftRegexBuilder",
            "swiftSwiftOnoneSupport", "swift_StringProcessing", "swiftDispatch", "dispatch", "BlocksRuntime", "m",
        ]
        try CompilerCall(
            compiler.toolchain, by: .driver,
            [
                "-swift-version", "6", Compiler.preparedFor, "-parse-as-library", "-use-ld=lld", "-module-name",
                "Harness", "-whole-module-optimization", "-module-cache-path", compiler.clangModules.path, "-o",
                "harness",
            ]
                + sources + objects
                // What is bound late can be bound anew.
                + ["--no-as-needed", "-z", "now", "-z", "relro", "--dynamic-list", "shown"]
                .flatMap { ["-Xlinker", $0] }
                + libraries.map { "-l\($0)" },
            in: folder
        ).runOwnCode()
    }
}
