import Foundation
import Storage
import Workbook

/// What the grader needs of a machine, and whether it has it.
public struct Doctor: Sendable {
    /// One thing that was looked at.
    public struct Fact: Sendable, Equatable {
        public enum State: String, Sendable, Codable {
            case fine
            /// Grading works, with less.
            case warning
            /// Nothing can be graded until it is put right.
            case failure
        }
        public enum Subject: String, Sendable, Codable, CaseIterable {
            case compiler, linker, xctest, testing, engine, sandbox, support, cores, disk, folder, temporary, suite,
                schedules, answer, stub
        }
        public var subject: Subject
        public var state: State
        /// What was found; for a failure also what to do.
        public var message: LocalizableMessage

        public init(_ subject: Subject, _ state: State, _ message: LocalizableMessage) {
            self.subject = subject
            self.state = state
            self.message = message
        }
    }

    /// The oldest compiler that the workbook's package can be read by.
    static let oldestCompiler = (major: 6, minor: 2)
    /// What a grading and its caches need at least.
    static let megabytesNeeded = 500

    /// Looks at everything, in the order of `Fact.Subject`. Where nothing is missing, one kata is graded.
    public static func examine(
        _ workbook: WorkbookFolder, engine: EngineName = .standard,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) async -> [Fact] {
        let found = await runBlocking { _ in facts(workbook, engine, environment) }
        if found.contains(where: { $0.state == .failure }) { return found }
        return found + (await RoundTrip(workbook: workbook, engine: engine).facts())
    }

    /// The compiler's own words about itself, for a report.
    public static func compilerText() async -> String {
        await runBlocking { _ in
            (try? Toolchain.locate()).flatMap { output(of: $0.compiler.path, ["--version"])?.text } ?? ""
        }
    }

    private static func facts(
        _ workbook: WorkbookFolder, _ engine: EngineName, _ environment: [String: String]
    ) -> [Fact] {
        toolchain(engine, environment)
            + [Fact(.engine, .fine, LocalizableMessage(.engineInUse, engine.rawValue))]
            + (engine == .fast
                ? [sandbox(environment), support()]
                : [Fact(.sandbox, .warning, LocalizableMessage(.portableIsNotConfined))])
            + [
                Fact(.cores, .fine, LocalizableMessage(.cores, "\(ProcessInfo.processInfo.activeProcessorCount)")),
                disk(workbook), folder(workbook),
            ]
            + temporaryFolder(environment)
    }

    /// The compiler's driver crashes where TMPDIR has letters beyond ASCII. The grader uses another folder then, and
    /// `swift build` does not.
    private static func temporaryFolder(_ environment: [String: String]) -> [Fact] {
        guard let folder = environment["TMPDIR"], !folder.utf8.allSatisfy({ $0 < 0x80 }) else { return [] }
        return [Fact(.temporary, .warning, LocalizableMessage(.temporaryFolderNotASCII, folder))]
    }

    private static func toolchain(_ engine: EngineName, _ environment: [String: String]) -> [Fact] {
        let toolchain: Toolchain
        do throws(GradingError) {
            toolchain = try Toolchain.locate(environment: environment)
        } catch {
            return [Fact(.compiler, .failure, error.message)]
        }
        var facts = [compiler(toolchain)]
        #if os(macOS)
        // The Command Line Tools have a compiler and no XCTest.
        if let folder = output(of: "/usr/bin/xcode-select", ["-p"])?.text, folder.contains("CommandLineTools") {
            facts.append(Fact(.xctest, .failure, LocalizableMessage(.noXcode, folder)))
        }
        #endif
        if engine == .portable { return facts }
        #if os(Linux)
        let linker = toolchain.linker.path
        facts.append(
            FileManager.default.isExecutableFile(atPath: linker)
                ? Fact(.linker, .fine, LocalizableMessage(.linkerFound, linker))
                : Fact(.linker, .failure, LocalizableMessage(.noLinker, linker)))
        for (subject, name, found, missing) in [
            (Fact.Subject.xctest, "XCTest", LocalizableMessage.Key.xctestFound, LocalizableMessage.Key.noXCTest),
            (.testing, "Testing", .testingFound, .noTesting),
        ] {
            let library = toolchain.libraries.appendingPathComponent("lib\(name).so").path
            facts.append(
                FileManager.default.fileExists(atPath: library)
                    ? Fact(subject, .fine, LocalizableMessage(found, library))
                    : Fact(subject, .failure, LocalizableMessage(missing, library)))
        }
        #endif
        return facts
    }

    private static func compiler(_ toolchain: Toolchain) -> Fact {
        let path = toolchain.compiler.path
        let said = output(of: path, ["--version"])
        guard let said, said.code == 0, let version = Toolchain.version(in: said.text) else {
            return Fact(.compiler, .failure, LocalizableMessage(.programFailed, path, said?.text ?? ""))
        }
        let numbers = version.split(separator: ".").compactMap { Int($0) }
        let (major, minor) = (numbers.first ?? 0, numbers.dropFirst().first ?? 0)
        if (major, minor) < (oldestCompiler.major, oldestCompiler.minor) {
            let needed = "\(oldestCompiler.major).\(oldestCompiler.minor)"
            return Fact(.compiler, .failure, LocalizableMessage(.compilerTooOld, version, needed))
        }
        return Fact(.compiler, .fine, LocalizableMessage(.compilerFound, version, path))
    }

    /// A sandbox that is installed may still be forbidden, as in many containers: it is tried.
    private static func sandbox(_ environment: [String: String]) -> Fact {
        do throws(GradingError) {
            let sandbox = try Sandbox.probe(environment: environment)
            if let trouble = sandbox.trouble() {
                return Fact(
                    .sandbox, .warning, LocalizableMessage(.noSandbox, sandbox.program.lastPathComponent, trouble))
            }
            let version = output(of: sandbox.program.path, ["--version"])?.text ?? ""
            return Fact(
                .sandbox, .fine,
                LocalizableMessage(
                    .sandboxFound, sandbox.program.lastPathComponent, version.filter { $0.isNumber || $0 == "." })
            )
        } catch {
            return Fact(.sandbox, .warning, error.message)
        }
    }

    private static func support() -> Fact {
        #if os(Linux)
        do throws(GradingError) {
            let support = try SupportLibraries.locate()
            return Fact(.support, .fine, LocalizableMessage(.supportFound, support.modules.path))
        } catch {
            return Fact(.support, .failure, error.message)
        }
        #else
        return Fact(.support, .failure, LocalizableMessage(.fastIsOnLinux))
        #endif
    }

    private static func disk(_ workbook: WorkbookFolder) -> Fact {
        var status = statvfs()
        guard statvfs(workbook.url.path, &status) == 0 else {
            return Fact(.disk, .failure, LocalizableMessage(.folderNotWritable, workbook.url.path, "\(errno)"))
        }
        let free = Int((UInt64(status.f_bavail) * UInt64(status.f_frsize)) >> 20)
        if free < megabytesNeeded {
            return Fact(
                .disk, .failure, LocalizableMessage(.diskLow, "\(free)", "\(megabytesNeeded)", workbook.url.path))
        }
        return Fact(.disk, .fine, LocalizableMessage(.diskFree, "\(free)", workbook.url.path))
    }

    /// Whether the grader's folder can be written is tried, not asked: permissions are not all that can forbid it.
    private static func folder(_ workbook: WorkbookFolder) -> Fact {
        let folder = workbook.graderFolder
        let probe = folder.appendingPathComponent("doctor-\(getpid())")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("x".utf8).write(to: probe)
            try FileManager.default.removeItem(at: probe)
            return Fact(.folder, .fine, LocalizableMessage(.folderWritable, folder.path))
        } catch {
            return Fact(.folder, .failure, GradingError(folder, notWritable: error).message)
        }
    }

    private static func output(of program: String, _ arguments: [String]) -> (code: Int32, text: String)? {
        var environment = ProcessInfo.processInfo.environment
        environment["TMPDIR"] = Toolchain.temporaryFolder
        let child = ChildProcess(program: program, arguments: arguments, environment: environment)
        guard let output = try? child.collectOutput(seconds: 20), case .exited(let code) = output.ending else {
            return nil
        }
        return (code, output.text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
