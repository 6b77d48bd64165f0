import Foundation
import Workbook

/// One call of `swift test` or `swift build` on the portable package.
struct SwiftTest {
    let context: GradingContext
    let package: PortablePackage

    /// SwiftPM's native build system compiles a module in one go; another one is used where it is asked for by name.
    static let buildSystem = ProcessInfo.processInfo.environment["GRADER_BUILD_SYSTEM"] ?? "native"

    enum Action {
        case build
        /// Builds and runs all tests.
        case run
        /// Runs some tests of what is built.
        case runAgain([KataTest], Kata)
        /// Prints the name of every test of what is built.
        case list
    }

    func child(_ action: Action) -> ChildProcess {
        var arguments: [String]
        switch action {
        case .build: arguments = ["build", "--build-tests"]
        case .run: arguments = ["test"]
        case .runAgain: arguments = ["test", "--skip-build"]
        case .list: arguments = ["test", "list", "--skip-build"]
        }
        arguments += ["--package-path", package.folder.path, "--build-system", Self.buildSystem]
        switch action {
        case .build, .list: break
        case .run, .runAgain:
            arguments += [
                "--no-parallel", "--event-stream-output-path", package.events.path, "--event-stream-version", "0",
            ]
        }
        if case .runAgain(let tests, let kata) = action {
            for test in tests {
                let name = NSRegularExpression.escapedPattern(for: test.id)
                arguments += ["--filter", "^\(kata.kata)Tests\\.\(name)(/|$)"]
            }
            if !tests.contains(where: { $0.framework == .xctest }) { arguments.append("--disable-xctest") }
            if !tests.contains(where: { $0.framework == .testing }) { arguments.append("--disable-swift-testing") }
        }
        var child = ChildProcess(
            program: context.toolchain.swift.path, arguments: arguments, environment: environment(action))
        // SwiftPM ends its test processes when it is interrupted. They are in groups of their own.
        child.stopSignal = SIGINT
        child.hasOwnGroup = false
        return child
    }

    private func environment(_ action: Action) -> [String: String] {
        let limits = context.options.limits
        var environment = ProcessInfo.processInfo.environment
        environment["KATA_SEED"] = "\(context.options.seed)"
        // The process belongs to one suite.
        environment["KATA_OWN_PROCESS"] = "1"
        environment["KATA_FINDINGS"] = "1"
        environment["SWIFT_BACKTRACE"] = "enable=no"
        environment["TMPDIR"] = Toolchain.temporaryFolder
        environment["TZ"] = "UTC"
        environment["NO_COLOR"] = "1"
        if case .list = action { return environment }
        environment["GRADER_RUN_OUTPUT"] = package.output.path
        environment["GRADER_RUN_CORE"] = "0"
        environment["GRADER_RUN_PROCESSOR_SECONDS"] = "\(limits.processorSeconds)"
        environment["GRADER_RUN_FILE_MEGABYTES"] = "\(limits.fileMegabytes)"
        environment["GRADER_RUN_MEMORY_MEGABYTES"] = "\(limits.memoryMegabytes)"
        // The suite's own limit stands still on a busy machine, which a process cannot know of itself.
        environment["GRADER_RUN_SECONDS"] = "600"
        return environment
    }
}

/// What SwiftPM says of a build: `[12/34] Compiling …`.
struct BuildProgress: Sendable, Equatable {
    var done: Int
    var steps: Int

    init?(_ line: some StringProtocol) {
        guard line.hasPrefix("["), let end = line.firstIndex(of: "]") else { return nil }
        let numbers = line[..<end].dropFirst().split(separator: "/")
        guard numbers.count == 2, let done = Int(numbers[0]),
            let steps = Int(numbers[1]), steps > 0
        else { return nil }
        self.done = done
        self.steps = steps
    }
}

/// How much of a build is done, as a bar shows it: it always moves, and never back.
///
/// SwiftPM counts steps and adds to them as it goes on, and one step may take half of the time. So the bar also moves with the
/// time, ever more slowly.
struct BuildShare: Equatable {
    var value = 0.0

    /// About half of the time that building everything takes.
    private static let halfTime = 15.0

    /// What it is now; `nil` where that is not visibly more.
    func grown(_ progress: BuildProgress?, seconds: Double) -> BuildShare? {
        let steps = progress.map { Double($0.done) / Double($0.steps) } ?? 0
        let share = min(0.99, max(steps, seconds / (seconds + Self.halfTime)))
        return share >= value + 0.01 ? BuildShare(value: share) : nil
    }
}
